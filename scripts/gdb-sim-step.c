/* Steps any GDB simulator over single instructions: linked with its libsim.a, it speaks the protocol below on
   standard input and output, so that one driver serves every machine that GDB simulates.

     r NUMBER VALUE    set the register of that number (GDB's)     R NUMBER          print it
     m ADDRESS BYTES   set memory from there on (hex pairs)        M ADDRESS COUNT   print that many bytes of it
     c ADDRESS BYTES   set code, where that is not in memory
     s                 execute one instruction; print the clocks it took, or - where the simulator counts none

   All numbers are hexadecimal. R, M and s print one line each, in order, that starts with =; whatever else the
   simulator prints is to be skipped. Arguments are the simulator's own.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKAGE "gdb-sim-step" /* bfd.h insists that a configuration has been included */
#include "sim/callback.h"
#include "sim/sim.h"

/* The clocks that the RL78 simulator has counted; other simulators have no such thing.  */
extern long long total_clocks __attribute__ ((weak));

static SIM_DESC sim;

static void
fail (const char *what, const char *line)
{
  fprintf (stderr, "gdb-sim-step: %s: %s\n", what, line);
  exit (1);
}

/* The simulators do not agree on how a wrong length is refused: some take 4 bytes for all, some only the size.  */

static void
store_register (int number, uint32_t value, const char *line)
{
  unsigned char bytes[4] = { value, value >> 8, value >> 16, value >> 24 };
  int length;

  for (length = 4; length > 0; length /= 2)
    if (sim_store_register (sim, number, bytes, length) > 0)
      return;
  fail ("no such register", line);
}

static uint32_t
fetch_register (int number, const char *line)
{
  unsigned char bytes[4] = { 0 };
  int length;

  for (length = 4; length > 0; length /= 2)
    if (sim_fetch_register (sim, number, bytes, length) != 0)
      return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t) bytes[3] << 24;
  fail ("no such register", line);
  return 0;
}

static void
store_memory (unsigned long address, const char *text, const char *line)
{
  unsigned int byte;

  for (; sscanf (text, "%2x", &byte) == 1; text += 2, address++)
    {
      unsigned char value = byte;
      if (sim_write (sim, address, &value, 1) != 1)
	fail ("no such memory", line);
    }
}

static void
print_memory (unsigned long address, unsigned long count, const char *line)
{
  unsigned char byte;

  putchar ('=');
  for (; count > 0; count--, address++)
    {
      if (sim_read (sim, address, &byte, 1) != 1)
	fail ("no such memory", line);
      printf ("%02x", byte);
    }
  putchar ('\n');
}

static void
step (void)
{
  long long before = &total_clocks ? total_clocks : 0;

  sim_resume (sim, 1, 0);
  if (&total_clocks)
    printf ("=%llx\n", total_clocks - before);
  else
    printf ("=-\n");
}

int
main (int argc, char **argv)
{
  static char line[4096];
  unsigned long a, b;
  int text;

  default_callback.init (&default_callback);
  sim = sim_open (SIM_OPEN_DEBUG, &default_callback, NULL, argv);
  if (sim == NULL || sim_create_inferior (sim, NULL, argv, NULL) != SIM_RC_OK)
    fail ("the simulator does not start", argv[0]);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      if (sscanf (line, "r %lx %lx", &a, &b) == 2)
	store_register (a, b, line);
      else if (sscanf (line, "R %lx", &a) == 1)
	printf ("=%x\n", (unsigned int) fetch_register (a, line));
      else if (sscanf (line, "m %lx %n", &a, &text) == 1 || sscanf (line, "c %lx %n", &a, &text) == 1)
	store_memory (a, line + text, line);
      else if (sscanf (line, "M %lx %lx", &a, &b) == 2)
	print_memory (a, b, line);
      else if (strcmp (line, "s") == 0)
	step ();
      else
	fail ("not understood", line);
    }
  return 0;
}
