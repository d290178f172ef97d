/* stream.pml - the blocks of a loop in a local store: transfers that end in any order, or fail
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The pipeline of runtime/tasks/stream.c, over BLOCKS blocks of three accesses: one that is read,
 * one that is written, one that is both. The device ends any of the transfers under way at any time,
 * in any order; FAULTS of them meet a bad address, and LOSSES never end, but may go on to touch
 * memory until they are aborted. It spoils a destination from the begin of a transfer and reads a
 * source at its end, as runtime/model/mover_model.c does.
 *
 * Checked always:
 *   compute   a block is computed on the bytes of that block, and no transfer touches its buffers
 *   begin     a transfer meets no other one, and overwrites no results that are not in memory yet
 *   ordered   nothing of a block is written to memory before all of the earlier blocks is there; the
 *             CPU, which may meet a bad address, writes before anything of a later block is there
 *   end       all blocks are in memory, nothing is under way
 *
 * stream.py lists the variants in which one thing is left out: for each of them Spin has to find a
 * counterexample.
 */
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef LOSSES
#define LOSSES 0
#endif
#ifdef TWO_BUFFERS_IN_PLACE
#define OF_BOTH 2
#else
#define OF_BOTH 3
#endif
#ifdef ONE_BUFFER_TO_READ
#define OF_IN 1
#else
#define OF_IN 2
#endif
#ifdef ONE_BUFFER_TO_WRITE
#define OF_OUT 1
#else
#define OF_OUT 2
#endif

/* The accesses. */
#define IN 0
#define OUT 1
#define BOTH 2
#define LANES 3
#define BUFFERS(lane) ((lane) == IN -> OF_IN : ((lane) == OUT -> OF_OUT : OF_BOTH))
#define BUFFER(lane, block) ((lane) * 3 + (block) % BUFFERS(lane))
#define PLACE(lane, block) ((lane) * BLOCKS + (block))

/* What a buffer holds. */
#define NOTHING 0
#define BROUGHT(block) (2 * (block) + 1)
#define COMPUTED(block) (2 * (block) + 2)
byte holds[9];

mtype = { OLD, SPOILED, NEW };
mtype memory[LANES * BLOCKS];

mtype = { FREE, UNDER_WAY, LOST, ENDED, FAULTY };
#define SLOTS 8
#define NO_SLOT 255
#define FAILED 254
typedef transfer {
  mtype state;
  bool get;
  byte lane, block;
}
transfer slots[SLOTS];

/* The program's. */
byte gets[LANES * 2], puts[LANES];
bool gives_up, computes, finished;
byte faults, losses;

/* ---- Checks ------------------------------------------------------------------------------ */

#define TOUCHES(s) (slots[s].state == UNDER_WAY || slots[s].state == LOST)

/* No transfer touches a buffer, or a block in memory. */
inline check_apart(a_lane, a_block) {
  byte s_;
  for (s_ : 0 .. SLOTS - 1) {
    assert(!TOUCHES(s_) || slots[s_].lane != a_lane ||
           BUFFER(a_lane, slots[s_].block) != BUFFER(a_lane, a_block));
    assert(!TOUCHES(s_) || slots[s_].lane != a_lane || slots[s_].block != a_block)
  }
}

/* All earlier blocks are in memory; and if `last`, nothing of a later one. */
inline check_order(a_block, last) {
  byte b_;
  for (b_ : 0 .. BLOCKS - 1) {
    assert(b_ >= a_block || (memory[PLACE(OUT, b_)] == NEW && memory[PLACE(BOTH, b_)] == NEW));
    assert(!last || b_ <= a_block || (memory[PLACE(OUT, b_)] == OLD && memory[PLACE(BOTH, b_)] == OLD))
  }
}

/* ---- The device -------------------------------------------------------------------------- */

/* Does what a transfer does until its end. */
inline move(s) {
  if
  :: slots[s].get ->
     assert(memory[PLACE(slots[s].lane, slots[s].block)] == OLD);
     holds[BUFFER(slots[s].lane, slots[s].block)] = BROUGHT(slots[s].block)
  :: else ->
     assert(holds[BUFFER(slots[s].lane, slots[s].block)] == COMPUTED(slots[s].block));
     memory[PLACE(slots[s].lane, slots[s].block)] = NEW
  fi
}

active proctype device() {
  byte s;
  do
  :: finished -> break
  :: atomic {
       select(s : 0 .. SLOTS - 1);
       if
       :: slots[s].state == UNDER_WAY -> move(s); slots[s].state = ENDED
       :: slots[s].state == UNDER_WAY && faults < FAULTS -> faults++; slots[s].state = FAULTY
       :: slots[s].state == UNDER_WAY && losses < LOSSES -> losses++; slots[s].state = LOST
       :: slots[s].state == LOST -> move(s) /* and it says nothing */
       :: else
       fi
     }
  od
}

/* ---- Transfers ----------------------------------------------------------------------------- */

/* Begins a transfer; `slot` gets its number. */
inline begin(is_get, in_lane, of_block, slot) {
  atomic {
    check_apart(in_lane, of_block);
    slot = 0;
    do
    :: slots[slot].state == FREE -> break
    :: else -> slot++
    od;
    slots[slot].state = UNDER_WAY;
    slots[slot].get = is_get;
    slots[slot].lane = in_lane;
    slots[slot].block = of_block;
    if
    :: is_get ->
       overwritten = holds[BUFFER(in_lane, of_block)];
       assert(overwritten == NOTHING || overwritten % 2 == 1 ||
              memory[PLACE(in_lane, (overwritten - 2) / 2)] == NEW);
       holds[BUFFER(in_lane, of_block)] = NOTHING
    :: else ->
       check_order(of_block, false);
       memory[PLACE(in_lane, of_block)] = SPOILED
    fi;
    overwritten = 0
  }
}

/* Waits for a transfer: `good` tells whether it did all. A lost one is given up after a time. */
inline end(slot, good) {
  if
  :: atomic { slots[slot].state == ENDED -> good = true; slots[slot].state = FREE }
  :: atomic { slots[slot].state == FAULTY -> good = false; slots[slot].state = FREE }
  :: atomic { slots[slot].state == LOST -> good = false; gives_up = true;
#ifndef NO_ABORT
       slots[slot].state = FREE
#endif
     }
  fi
}

/* The CPU puts the rest of a block. */
inline put_rest(a_lane, a_block) {
  atomic {
    check_order(a_block, true);
    assert(holds[BUFFER(a_lane, a_block)] == COMPUTED(a_block));
    memory[PLACE(a_lane, a_block)] = NEW
  }
}

inline finish_puts() {
  for (k : OUT .. BOTH) {
    if
    :: puts[k] == NO_SLOT
    :: else ->
       ended = slots[puts[k]].block;
       end(puts[k], good);
       puts[k] = NO_SLOT;
       if
       :: good
       :: else ->
#ifndef PUTS_ARE_BELIEVED
          put_rest(k, ended)
#else
          skip
#endif
       fi
    fi
  };
  ended = 0;
  good = false
}

inline begin_puts(a_block) {
  for (k : OUT .. BOTH) {
    begin(false, k, a_block, puts[k])
  }
}

#define GET(k, block) gets[(k) * 2 + (block) % 2]

inline begin_gets(a_block) {
  for (k : 0 .. LANES - 1) {
    if
    :: gives_up -> GET(k, a_block) = FAILED
    :: !gives_up && k == OUT -> GET(k, a_block) = NO_SLOT
    :: !gives_up && k != OUT -> begin(true, k, a_block, GET(k, a_block))
    fi
  }
}

/* `computes` tells whether all bytes of the block are there. */
inline finish_gets(a_block) {
  computes = true;
  for (k : 0 .. LANES - 1) {
    if
    :: GET(k, a_block) == NO_SLOT
    :: GET(k, a_block) == FAILED -> computes = false
    :: else ->
       end(GET(k, a_block), good);
#ifndef GETS_ARE_BELIEVED
       computes = computes && good
#endif
    fi;
    GET(k, a_block) = NO_SLOT
  };
  good = false
}

/* ---- Blocks -------------------------------------------------------------------------------- */

/* A direct block has nothing to do with the buffers. */
inline check_apart_in_memory(a_lane, a_block) {
  byte m_;
  for (m_ : 0 .. SLOTS - 1) {
    assert(!TOUCHES(m_) || slots[m_].lane != a_lane || slots[m_].block != a_block)
  }
}

inline compute(a_block) {
  atomic {
    if
    :: computes ->
       for (k : 0 .. LANES - 1) {
         assert(k == OUT || holds[BUFFER(k, a_block)] == BROUGHT(a_block));
         check_apart(k, a_block);
         if
         :: k != IN -> holds[BUFFER(k, a_block)] = COMPUTED(a_block)
         :: else
         fi
       }
    :: else ->
       check_order(a_block, true);
       for (k : OUT .. BOTH) {
         check_apart_in_memory(k, a_block);
         assert(memory[PLACE(k, a_block)] == OLD);
         memory[PLACE(k, a_block)] = NEW
       }
    fi
  }
}

/* What memlift_stream_next does before it waits for the gets. */
inline complete(a_block) {
#ifndef NO_WAIT_FOR_PUTS
#ifndef PUTS_OUT_OF_ORDER
  finish_puts();
#endif
#endif
  if
  :: computes -> begin_puts(a_block - 1)
  :: else
  fi;
  computes = false
}

active proctype program() {
  byte block, k, ended, overwritten;
  bool good;
  for (k : 0 .. LANES * BLOCKS - 1) {
    memory[k] = OLD
  };
  for (k : 0 .. LANES - 1) {
    puts[k] = NO_SLOT;
    GET(k, 0) = NO_SLOT;
    GET(k, 1) = NO_SLOT
  };
  for (k : 0 .. SLOTS - 1) {
    slots[k].state = FREE
  };
  begin_gets(0);
  for (block : 0 .. BLOCKS - 1) {
#ifdef GETS_FIRST
    if
    :: block + 1 < BLOCKS -> begin_gets(block + 1)
    :: else
    fi;
#endif
    complete(block);
#ifndef GETS_FIRST
    if
    :: block + 1 < BLOCKS -> begin_gets(block + 1)
    :: else
    fi;
#endif
#ifdef NO_WAIT_FOR_GETS
    computes = true;
#else
    finish_gets(block);
#endif
    if
    :: computes
    :: else ->
#ifndef DIRECT_AT_ONCE
       finish_puts()
#else
       skip
#endif
    fi;
    compute(block)
  };
  complete(BLOCKS);
#ifndef NO_WAIT_AT_END
  finish_puts();
#endif
  atomic {
    for (block : 0 .. BLOCKS - 1) {
      assert(memory[PLACE(OUT, block)] == NEW && memory[PLACE(BOTH, block)] == NEW)
    };
    for (k : 0 .. SLOTS - 1) {
      assert(slots[k].state == FREE)
    };
    finished = true
  }
}
