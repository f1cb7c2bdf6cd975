/* SHA-256 after FIPS 180-4; section numbers below are of that standard.
 *
 * What matters here to bitsel is `context->state`: single bits of a volatile byte are set and cleared in
 * sha256_init and sha256_final. Each is a LOAD, an AND or OR, and a STORE, where RL78 has one SET1 or CLR1.
 * The 64 rounds, where the time goes, hold no such update.
 *
 * Where `int` has 16 bits, uint8_t is promoted to 16 bits before a shift, and on wider machines uint32_t may
 * be narrower than `int`: hence the casts to uint32_t before shifting left, and after.
 */
#include "sha256.h"

/* 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* 5.3.3: the first 32 bits of the fractional parts of the square roots of the first eight primes. */
static const uint32_t initial_hash[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* 3.2: ROTR, for 0 < n < 32. */
static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return (uint32_t)((x >> n) | (x << (32 - n)));
}

/* 4.1.2, equations 4.2 to 4.7. */
static uint32_t ch(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (~x & z);
}

static uint32_t maj(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (x & z) ^ (y & z);
}

static uint32_t big_sigma0(uint32_t x)
{
    return rotate_right(x, 2) ^ rotate_right(x, 13) ^ rotate_right(x, 22);
}

static uint32_t big_sigma1(uint32_t x)
{
    return rotate_right(x, 6) ^ rotate_right(x, 11) ^ rotate_right(x, 25);
}

static uint32_t small_sigma0(uint32_t x)
{
    return rotate_right(x, 7) ^ rotate_right(x, 18) ^ (x >> 3);
}

static uint32_t small_sigma1(uint32_t x)
{
    return rotate_right(x, 17) ^ rotate_right(x, 19) ^ (x >> 10);
}

/* 3.1: a word is big-endian. */
static uint32_t load_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store_word(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

/* 6.2.2 for one block. Only the last 16 words of the message schedule are kept, in a ring: RAM is dear. */
static void compress(uint32_t hash[8], const uint8_t block[SHA256_BLOCK_BYTES])
{
    uint32_t w[16];
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];

    for (unsigned t = 0; t < 64; t++) {
        uint32_t *word = &w[t & 15];
        if (t < 16)
            *word = load_word(block + 4 * t);
        else
            *word += small_sigma1(w[(t - 2) & 15]) + w[(t - 7) & 15] + small_sigma0(w[(t - 15) & 15]);

        uint32_t t1 = h + big_sigma1(e) + ch(e, f, g) + round_constant[t] + *word;
        uint32_t t2 = big_sigma0(a) + maj(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }

    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
}

static void append(struct sha256_context *context, uint8_t byte)
{
    context->block[context->used++] = byte;
    if (context->used == SHA256_BLOCK_BYTES) {
        compress(context->hash, context->block);
        context->used = 0;
    }
}

void sha256_init(struct sha256_context *context)
{
    context->state &= (uint8_t)~SHA256_DONE;
    context->state &= (uint8_t)~SHA256_ERROR;
    context->used = 0;
    context->total = 0;
    for (unsigned i = 0; i < 8; i++)
        context->hash[i] = initial_hash[i];
    context->state |= SHA256_BUSY;
}

void sha256_update(struct sha256_context *context, const uint8_t *data, size_t length)
{
    if (!(context->state & SHA256_BUSY)) {
        context->state |= SHA256_ERROR;
        return;
    }
    context->total += length;
    while (length--)
        append(context, *data++);
}

void sha256_final(struct sha256_context *context, uint8_t digest[SHA256_DIGEST_BYTES])
{
    /* 5.1.1: a one bit, zeros up to the last eight bytes of a block, the length in bits. */
    uint64_t bits = context->total << 3;
    append(context, 0x80);
    while (context->used != SHA256_BLOCK_BYTES - 8)
        append(context, 0);
    for (unsigned i = 0; i < 8; i++)
        append(context, (uint8_t)(bits >> (56 - 8 * i)));

    for (unsigned i = 0; i < 8; i++)
        store_word(digest + 4 * i, context->hash[i]);
    context->state &= (uint8_t)~SHA256_BUSY;
    context->state |= SHA256_DONE;
}
