/* Executes single AVR instructions in simavr, on commands of the protocol that gdb-sim-step.c describes. Memory is the
   data space. Registers are numbered as in GDB: 0 to 31, 32 is SREG, 33 SP, 34 PC (in bytes). The argument is the name
   of the device.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum { SREG = 32, SP = 33, PC = 34, SP_LOW = 0x5d, SREG_AT = 0x5f };

static avr_t *avr;

static void
fail (const char *what, const char *line)
{
  fprintf (stderr, "simavr-step: %s: %s\n", what, line);
  exit (1);
}

/* simavr keeps the flags apart from the byte that they are in the data space.  */

static void
set_byte (unsigned long address, uint8_t value, const char *line)
{
  if (address > avr->ramend)
    fail ("no such memory", line);
  avr->data[address] = value;
  if (address == SREG_AT)
    SET_SREG_FROM (avr, value);
}

static uint8_t
byte_at (unsigned long address, const char *line)
{
  if (address > avr->ramend)
    fail ("no such memory", line);
  if (address == SREG_AT)
    READ_SREG_INTO (avr, avr->data[SREG_AT]);
  return avr->data[address];
}

static void
set_register (unsigned long number, unsigned long value, const char *line)
{
  if (number < 32)
    avr->data[number] = value;
  else if (number == SREG)
    set_byte (SREG_AT, value, line);
  else if (number == SP)
    {
      avr->data[SP_LOW] = value;
      avr->data[SP_LOW + 1] = value >> 8;
    }
  else if (number == PC)
    avr->pc = value;
  else
    fail ("no such register", line);
}

static unsigned long
register_value (unsigned long number, const char *line)
{
  if (number < 32)
    return avr->data[number];
  if (number == SREG)
    return byte_at (SREG_AT, line);
  if (number == SP)
    return avr->data[SP_LOW] | avr->data[SP_LOW + 1] << 8;
  if (number == PC)
    return avr->pc;
  fail ("no such register", line);
  return 0;
}

static void
set_bytes (unsigned long address, const char *text, int in_code, const char *line)
{
  unsigned int byte;

  for (; sscanf (text, "%2x", &byte) == 1; text += 2, address++)
    if (!in_code)
      set_byte (address, byte, line);
    else if (address <= avr->flashend)
      avr->flash[address] = byte;
    else
      fail ("no such code", line);
}

int
main (int argc, char **argv)
{
  static char line[4096];
  unsigned long a, b;
  int text;

  avr_global_logger_set (NULL);
  avr = argc == 2 ? avr_make_mcu_by_name (argv[1]) : NULL;
  if (avr == NULL)
    fail ("no such device", argc == 2 ? argv[1] : "none named");
  avr_init (avr);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      if (sscanf (line, "r %lx %lx", &a, &b) == 2)
        set_register (a, b, line);
      else if (sscanf (line, "R %lx", &a) == 1)
        printf ("=%lx\n", register_value (a, line));
      else if (sscanf (line, "m %lx %n", &a, &text) == 1)
        set_bytes (a, line + text, 0, line);
      else if (sscanf (line, "c %lx %n", &a, &text) == 1)
        set_bytes (a, line + text, 1, line);
      else if (sscanf (line, "M %lx %lx", &a, &b) == 2)
        {
          putchar ('=');
          for (; b > 0; a++, b--)
            printf ("%02x", byte_at (a, line));
          putchar ('\n');
        }
      else if (strcmp (line, "s") == 0)
        {
          avr_cycle_count_t before = avr->cycle;
          avr->state = cpu_Running;
          avr->pc = avr_run_one (avr);
          printf ("=%llx\n", (unsigned long long) (avr->cycle - before));
        }
      else
        fail ("not understood", line);
    }
  return 0;
}
