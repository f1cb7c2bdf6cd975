/* SHA-256, FIPS 180-4, for small machines. Freestanding C99; `int` may have 16 bits. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK_BYTES 64
#define SHA256_DIGEST_BYTES 32

/* Bits of sha256_context.state. */
#define SHA256_BUSY 0x01u  /* between init and final: update may be called */
#define SHA256_DONE 0x02u  /* final has run: the digest is valid */
#define SHA256_ERROR 0x80u /* update without init */

struct sha256_context {
    /* Volatile, because an interrupt handler or another task may look at it, or raise SHA256_ERROR. So every
       change below is one read and one write of this byte. It is the first member: its address is the
       context's own, and needs no displacement. */
    volatile uint8_t state;
    uint8_t used; /* bytes waiting in `block`, less than SHA256_BLOCK_BYTES */
    uint32_t hash[8];
    uint64_t total; /* bytes of the message so far */
    uint8_t block[SHA256_BLOCK_BYTES];
};

/* The context's bytes must be zero before its first sha256_init, as those of a static object are. */
void sha256_init(struct sha256_context *context);
void sha256_update(struct sha256_context *context, const uint8_t *data, size_t length);
/* Writes the digest of what update was given since init, which must have been called. */
void sha256_final(struct sha256_context *context, uint8_t digest[SHA256_DIGEST_BYTES]);

#endif
