/* mars/error.h - what the functions of MARS return
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_ERROR_H
#define MARS_ERROR_H

/* The values are part of MARS's interface: programs print them. */
enum {
  MARS_SUCCESS = 0,
  MARS_ERROR_NULL = 1,     /* a pointer or an address is 0 */
  MARS_ERROR_PARAMS = 2,   /* a value is out of range, or no such object is there */
  MARS_ERROR_INTERNAL = 3, /* the system refused something, or the unit of a task was lost */
  MARS_ERROR_MEMORY = 4,   /* no memory, or none below 4 GiB */
  MARS_ERROR_ALIGN = 5,    /* an object's address is no multiple of 128; in strict mode also data */
  MARS_ERROR_LIMIT = 6,    /* no more of them, as of tasks */
  MARS_ERROR_STATE = 7,    /* not in this state, or not from this side */
  MARS_ERROR_FORMAT = 8,   /* no image of memlift-mpu-cc; a task without a save area would wait */
  MARS_ERROR_BUSY = 9      /* a call that only tries would have to wait */
};

#endif
