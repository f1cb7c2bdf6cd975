/* A small driver for the RL78/G23 (R7F100G): an LED and a button on ports, an interval timer, a serial unit.
 *
 * Registers are written the way vendor headers write them. Names, addresses, widths and bit numbers are those
 * of the device's I/O header; a 16-bit number is a near address: 0xFF05 is FFF05H, 0x01B2 is F01B2H. Each
 * function is one thing a driver does, and one question to an instruction selector; the comment above it says
 * what an RL78 programmer would expect.
 */
#include <stdint.h>

#define REG8(address) (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))

/* SFR area (FFF00H to FFFFFH). The ports lie in the short direct (saddr) area too, which ends at FFF1FH. */
#define P3 REG8(0xFF03)
#define P5 REG8(0xFF05)
#define TXD0 REG8(0xFF10) /* no 1-bit manipulation */
#define PM3 REG8(0xFF23)
#define PM5 REG8(0xFF25)
#define WDTE REG8(0xFFAB) /* no 1-bit manipulation */
#define IF0L REG8(0xFFE0)
#define MK0L REG8(0xFFE4)

/* Second SFR area (F0000H to F07FFH). */
#define PU3 REG8(0x0033)
#define PER0 REG8(0x00F0)
#define TMR00 REG16(0x0190)
#define TS0L REG8(0x01B2)
#define TT0L REG8(0x01B4)
#define TO0L REG8(0x01B8) /* no 1-bit manipulation */
#define TOE0 REG16(0x01BA)

/* The same kind of register through a bit-field, as headers with NAME_bit do it. */
struct bits {
    uint8_t no0 : 1, no1 : 1, no2 : 1, no3 : 1, no4 : 1, no5 : 1, no6 : 1, no7 : 1;
};
#define BITS(address) (*(volatile struct bits *)(address))
#define IF0H_bit BITS(0xFFE1)
#define MK0H_bit BITS(0xFFE5)
#define P5_bit BITS(0xFF05)
#define TMIF00 IF0H_bit.no6
#define TMMK00 MK0H_bit.no6
#define LED_pin P5_bit.no3

#define LED 0x08u       /* P53 */
#define BUTTON 0x01u    /* P30 */
#define TAU0EN 0x01u    /* PER0: clock for timer array unit 0 */
#define CHANNEL_0 0x01u /* in TS0L, TT0L, TO0L, TOE0 */
#define PIF0 0x04u      /* IF0L, MK0L: external interrupt INTP0 */

/* What the interrupt handler tells the main loop. `events` is read with interrupts off, and so not volatile. */
#define EVENT_TICK 0x0100u
#define EVENT_BUTTON 0x0001u
uint16_t events;
volatile uint8_t heartbeat;
uint32_t options;

/* --- ports -------------------------------------------------------------------------------------------- */

/* Port mode 0 is output. One CLR1 of an SFR each; the latch is in the saddr area, with CLR1 as well. */
void led_init(void)
{
    P5 &= (uint8_t)~LED;
    PM5 &= (uint8_t)~LED;
}

void led_on(void)
{
    P5 |= LED;
}

void led_off(void)
{
    P5 &= (uint8_t)~LED;
}

/* RL78 has no instruction that toggles a bit, but XOR saddr, #byte is one instruction all the same. */
void led_toggle(void)
{
    P5 ^= LED;
}

/* The new value is not a constant: no bit instruction with a fixed operation will do. */
void led_write(uint8_t on)
{
    LED_pin = on;
}

/* Two bits at once: one OR saddr, #byte on the latch; nothing for the mode register, which is not in saddr. */
void led_pair_on(void)
{
    P5 |= LED | LED << 1;
    PM5 &= (uint8_t) ~(LED | LED << 1);
}

/* The mode register is an SFR, the pull-up's is in the second SFR area and needs SET1 !addr16. */
void button_init(void)
{
    PM3 |= BUTTON;
    PU3 |= BUTTON;
}

uint8_t button_pressed(void)
{
    if (P3 & BUTTON)
        return 0;
    events |= EVENT_BUTTON;
    return 1;
}

/* A driver library takes the port's address as a number, and computes the register's from it: the address
   is a variable, computed twice in the unoptimised code, once for reading and once for writing. */
#define OFFSET_PM 0x20u

void port_pin_as_output(uint16_t port)
{
    REG8(port + OFFSET_PM) &= (uint8_t)~0x02u;
}

/* --- timer array unit 0, channel 0 -------------------------------------------------------------------- */

void timer_start(void)
{
    PER0 |= TAU0EN;
    TMIF00 = 0;
    TMMK00 = 0;
    TS0L |= CHANNEL_0;
}

void timer_stop(void)
{
    TT0L |= CHANNEL_0;
    TMMK00 = 1;
    TMIF00 = 0;
    PER0 &= (uint8_t)~TAU0EN;
}

/* A volatile 16-bit register, read and written as 16 bits: a bit instruction would make it 8. */
void timer_output_enable(void)
{
    TOE0 |= CHANNEL_0;
}

/* The same kind of update on a register that takes byte accesses, but no 1-bit manipulation. */
void timer_output_high(void)
{
    TO0L |= CHANNEL_0;
}

/* Several bits of a 16-bit register, in two steps, each with its own read and write. */
void timer_mode_interval(void)
{
    TMR00 &= 0xFFF0u;
    TMR00 |= 0x0001u;
}

/* The handler for INTTM00. `events` is in RAM and not volatile: one SET1 of its high byte, and no window in
   which another interrupt's event is lost. The toggle of `heartbeat` has no such form. */
void timer_interrupt(void)
{
    events |= EVENT_TICK;
    heartbeat ^= 0x01u;
    P5 ^= LED;
}

/* The old value is needed too. */
uint16_t events_take_tick(void)
{
    uint16_t seen = events;
    events = seen & (uint16_t)~EVENT_TICK;
    return seen;
}

/* --- the rest ----------------------------------------------------------------------------------------- */

void external_interrupt_enable(void)
{
    IF0L &= (uint8_t)~PIF0;
    MK0L &= (uint8_t)~PIF0;
}

/* A serial unit's registers through a base pointer. `start` is at F0122H for unit 0, F0162H for unit 1. */
struct serial_unit {
    uint16_t status[4], clear[4], mode[4], format[4];
    volatile uint8_t enabled, enabled_high;
    volatile uint8_t start, start_high;
    volatile uint8_t stop, stop_high;
};
#define SAU0 ((struct serial_unit *)0x0100)

void serial_start(struct serial_unit *unit)
{
    unit->start |= 0x01u;
}

void serial_stop(void)
{
    SAU0->stop |= 0x01u;
}

/* TXD0 allows no SET1, but it lies in the saddr area, where OR saddr, #byte is a plain byte access. */
void serial_mark_parity(void)
{
    TXD0 |= 0x80u;
}

/* The watchdog's register allows no SET1, and is not in saddr: LOAD, OR, STORE. (And not what a program
   should do to a watchdog.) */
void watchdog_touch(void)
{
    WDTE |= 0x04u;
}

/* One bit of a 32-bit word in RAM: the compiler reads and writes 32 bits, a byte is enough. */
void options_lock(void)
{
    options |= 0x00400000u;
}
