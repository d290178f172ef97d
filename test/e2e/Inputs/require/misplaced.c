// misplaced.c - pragmas that say nothing about a loop, and misspelt ones
#include <stddef.h>

void statement_between(char *p, size_t n) {
#pragma memlift require // MISPLACED MLF0019
  size_t i = 0;
  for (; i < n; i++)
    p[i] = 5;
}
void no_loop(int *p) {
#pragma memlift require // MISPLACED MLF0019
  *p = 0;
}
void unknown_idiom(char *p, size_t n) {
#pragma memlift require memset // MISPLACED MLF0019
  for (size_t i = 0; i < n; i++)
    p[i] = 5;
}
void two_idioms(char *p, size_t n) {
#pragma memlift require fill copy // MISPLACED MLF0019
  for (size_t i = 0; i < n; i++)
    p[i] = 5;
}
#pragma memlift require // MISPLACED MLF0019
int variable;
