// size-first.h - fills and copies beside a question whether there is anything to do
typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;

void fill(byte *d, int value, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}

void copy(byte *d, const byte *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

// One value where there was something, another one where there was not.
byte *behind(byte *d, int value, size_t n, byte *none) {
  if (!n)
    return none;
  size_t i = 0;
  do
    d[i] = value;
  while (++i < n);
  return d + n;
}

// n below 0 is nothing to do, and a size that is large enough.
void below(byte *d, int value, int n) {
  for (int i = 0; i < n; i++)
    d[i] = value;
}

// Another number says that there is nothing to do.
void other(byte *d, int value, size_t n, size_t m) {
  if (m)
    for (size_t i = 0; i < n; i++)
      d[i] = value;
}

// Something else is done where there is something.
void more(byte *d, int value, size_t n, volatile int *seen) {
  if (!n)
    return;
  *seen = 1;
  for (size_t i = 0; i < n; i++)
    d[i] = value;
}

// With n = 0 there would be 31 bytes: too few, but not none.
void longer(byte *d, int value, size_t n) {
  if (n)
    for (size_t i = 0; i < n + 31; i++)
      d[i] = value;
}
