/* queue.pml - pushes and pops in two steps, which end in any order, are left open, or wait
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of runtime/tasks/{queue,queue_calls}.c; docs/hacker/tasks.md describes it. Two tasks
 * push, and two pop. Each access of what is shared is a step. The line of those who wait is as in
 * line.c; the wake word is reduced to its state here, handoff.pml has the whole of it.
 *
 * Checked always: entries are taken in the order of their tickets, each once, and not before their
 * push has ended; nobody writes a place that another one still reads; all tasks come to their end;
 * and then no waiter is left and no lock is held.
 *
 * (none)   one place; each task pushes or pops once
 * ROUND    twice
 * OPEN     four places; the first of each kind begins twice and ends in the reverse order
 * PEEKS    one place; the second popper looks at the first entry before it takes one
 * LEFT     the first pusher ends with its place open; one popper
 * STOPS    the same, and it has not moved the tail: its unit is lost
 * LOOKED   the first popper ends while it looks at an entry, if it finds one; the other one pops both
 * DROPPED  the first popper ends with its place open
 * CLOSED   two places; the first pusher closes the queue, and the poppers pop until it is empty
 *
 * tasks.py lists the configurations, and the variants in which one rule is left out: for each of
 * them Spin has to find a counterexample.
 */
#if defined(OPEN)
#define DEPTH 4
#define START 3 /* the first ticket: its place is not the first one */
#elif defined(CLOSED)
#define DEPTH 2
#define START 1
#else
#define DEPTH 1
#define START 0
#endif
#if defined(STOPS)
#define LEFT
#endif
#if defined(LEFT) || defined(DROPPED) || defined(LOOKED)
#define ENDS
#endif
#define TASKS 4
#define ENTRIES (START + 6)
#define PUSHERS 0 /* the two lines */
#define POPPERS 1

mtype = { FREE, FILLING, FULL, EMPTYING, SHOWING };
mtype = { NONE, WAITING, WOKEN, EXPIRED };
mtype = { OK, BUSY, CANCELLED, PENDING };

/* {ticket, owner, what}. */
typedef state {
  byte ticket, who;
  mtype what;
}
state places[DEPTH];
byte tail, head;
bool closed;

typedef line {
  bool lock;
  byte who[2], length;
}
line lines[2];

mtype wake[TASKS];
bool linked[TASKS];

/* For the checks alone. */
bool gone[TASKS]; /* the task has ended */
byte data[DEPTH];  /* the ticket of the entry, as the pusher has written it */
byte readers[DEPTH];
bool pushed[ENTRIES], skipped[ENTRIES];
byte next_out, busy;

#define PLACE(t) places[(t) % DEPTH]

/* ---- The line ------------------------------------------------------------------------------- */

inline lock_line(l) {
  d_step {
    !lines[l].lock -> lines[l].lock = true
  }
}

inline unlock_line(l) { lines[l].lock = false }

/* Announces the wait and goes into the line, with the lock. */
inline join(l) {
  wake[me] = WAITING;
  d_step {
    lines[l].who[lines[l].length] = me;
    lines[l].length++;
    linked[me] = true
  }
}

inline remove(l, w) {
  d_step {
    lines[l].length--;
    if
    :: lines[l].who[0] == w -> lines[l].who[0] = lines[l].who[1]
    :: else
    fi;
    lines[l].who[lines[l].length] = 0;
    linked[w] = false
  }
}

inline quit(l) {
  lock_line(l);
  if
  :: linked[me] -> remove(l, me)
  :: else
  fi;
  unlock_line(l)
}

/* Wakes the first that has not given up. */
inline wake_first(l) {
  lock_line(l);
  done = false;
  do
  :: done || lines[l].length == 0 -> break
  :: else ->
     w = lines[l].who[0];
     remove(l, w);
     d_step {
       done = wake[w] == WAITING;
       if
       :: done -> wake[w] = WOKEN
       :: else
       fi;
#ifdef WAKE_NOBODY
       done = true;
#endif
       w = 0
     }
  od;
  atomic {
    lines[l].lock = false;
    done = false
  }
}

/* ---- Changing sides ------------------------------------------------------------------------- */

inline set_place(t, its_ticket, its_who, its_what) {
  d_step {
    PLACE(t).ticket = its_ticket;
    PLACE(t).who = its_who;
    PLACE(t).what = its_what
  }
}

inline wake_if_any(l) {
  if
  :: lines[l].length > 0 -> wake_first(l)
  :: else
  fi
}

inline let_pop(t) {
#ifdef LINE_FIRST
  hit = lines[POPPERS].length > 0;
  set_place(t, t, 0, FULL);
  if
  :: hit -> wake_first(POPPERS)
  :: else
  fi;
  hit = false
#else
  set_place(t, t, 0, FULL);
  wake_if_any(POPPERS)
#endif
}

inline let_push(t) {
  d_step {
    PLACE(t).ticket = t + DEPTH;
    PLACE(t).who = 0;
    PLACE(t).what = FREE
  }
  wake_if_any(PUSHERS);
#ifndef NO_WAKE_AT_LAST
  do
  :: !closed -> break
  :: else ->
     if
     :: lines[POPPERS].length == 0 -> break
     :: else -> wake_first(POPPERS)
     fi
  od
#endif
}

/* ---- Taking places -------------------------------------------------------------------------- */

inline read_place(t) {
  d_step {
    s.ticket = PLACE(t).ticket;
    s.who = PLACE(t).who;
    s.what = PLACE(t).what
  }
}

/* The compare and exchange of a place with the state that was read: `hit`. */
inline exchange(t, its_ticket, its_who, its_what) {
  hit = PLACE(t).ticket == s.ticket && PLACE(t).who == s.who && PLACE(t).what == s.what;
  if
  :: hit -> set_place(t, its_ticket, its_who, its_what)
  :: else
  fi
}

/* After ticket nr was taken. */
#ifdef BY_ONE
inline move_head() { head++ }
inline move_tail() { tail++ }
#else
inline move_head() { head = nr + 1 }
inline move_tail() { tail = nr + 1 }
#endif

/* Tells whether the owner of the place has ended, which is one more access. */
inline look_at_owner(its_what) {
  over = false;
#if defined(ENDS) && !defined(NOBODY_IS_OVER)
  if
  :: s.what == its_what -> over = gone[s.who]
  :: else
  fi
#endif
}

#ifdef STOPS
#define STOPPER true
#else
#define STOPPER false
#endif
#ifdef NO_HELP
#define IN_THE_WAY (!(s.ticket == nr && s.what == FREE) && !(s.ticket < nr && over))
#else
#define IN_THE_WAY (s.ticket < nr && !over)
#endif

/* Takes the next free place: `got`, and its ticket is nr. */
inline take_free() {
  atomic {
    got = NONE;
    nr = tail
  }
#ifdef CLOSED
  if
  :: closed -> got = CANCELLED
  :: else
  fi;
#endif
  do
  :: got != NONE -> break
  :: else ->
     read_place(nr);
     look_at_owner(EMPTYING);
     if
     :: s.ticket == nr && s.what == FREE ->
#ifdef FILL_WITHOUT_CAS
        set_place(nr, nr, me, FILLING);
        got = OK;
#else
        atomic {
          exchange(nr, nr, me, FILLING);
          if
          :: hit -> got = OK; hit = false
          :: else
          fi
        }
#endif
        if
        :: got == OK && !(STOPPER && me == 0) -> move_tail()
        :: else
        fi
#ifndef NO_HELP
     :: s.ticket >= nr && !(s.ticket == nr && s.what == FREE) ->
        /* Taken, by somebody who has not come so far, or has brought the tail back. */
        nr = s.ticket + 1 - (s.what == FREE -> DEPTH : 0);
        tail = nr
#endif
     :: s.ticket < nr && over ->
        atomic {
          exchange(nr, s.ticket + DEPTH, 0, FREE)
        }
     :: IN_THE_WAY -> got = BUSY
     fi
  od
}

#ifdef ANY_TICKET
#define IS_TICKET true
#else
#define IS_TICKET (s.ticket == nr)
#endif
#ifdef SEEN_BEFORE_END
#define IS_THERE (IS_TICKET && (s.what == FULL || s.what == FILLING))
#else
#define IS_THERE (IS_TICKET && s.what == FULL)
#endif

/* An entry is taken or shown: it is the first, and complete. */
inline check_first(its_what) {
  do
  :: next_out < ENTRIES && skipped[next_out] -> next_out++
  :: else -> break
  od;
  assert(nr == next_out && pushed[nr]);
  if
  :: its_what == EMPTYING -> next_out++
  :: else
  fi
}

inline take_entry(its_what) {
#ifdef TAKE_WITHOUT_CAS
  set_place(nr, nr, me, its_what);
  hit = true;
#endif
  atomic {
#ifndef TAKE_WITHOUT_CAS
    exchange(nr, nr, me, its_what);
#endif
    if
    :: hit -> got = OK; hit = false; check_first(its_what)
    :: else
    fi
  }
  if
  :: got == OK && its_what == EMPTYING -> move_head()
  :: else
  fi
}

inline skip_entry() {
  atomic {
    exchange(nr, nr + DEPTH, 0, FREE);
    if
    :: hit -> skipped[nr] = true
    :: else
    fi
  }
  if
  :: hit -> hit = false; move_head(); wake_if_any(PUSHERS)
  :: else
  fi
}

/* Takes the first entry, to empty its place or to show it. */
inline take_full(its_what) {
  atomic {
    got = NONE;
    nr = head
  }
  do
  :: got != NONE -> break
  :: else ->
     read_place(nr);
     if
     :: s.what == SHOWING -> look_at_owner(SHOWING)
     :: else -> look_at_owner(FILLING)
     fi;
     if
     :: IS_THERE -> take_entry(its_what)
     :: !IS_THERE && over && s.ticket == nr && s.what == FILLING -> skip_entry()
     :: !IS_THERE && over && s.ticket == nr && s.what == SHOWING ->
        atomic {
          exchange(nr, nr, 0, FULL);
          hit = false
        }
     :: !IS_THERE && !(over && s.ticket == nr) ->
        if
        :: (s.what == EMPTYING && s.ticket == nr) || s.ticket > nr ->
           nr = s.ticket + 1 - (s.what == EMPTYING -> 0 : DEPTH);
           head = nr
        :: else ->
           got = BUSY;
#ifdef CLOSED
           if
           :: s.what == FREE && closed ->
#ifdef TAIL_TELLS
              got = (tail == nr -> CANCELLED : BUSY)
#else
              got = CANCELLED
#endif
           :: else
           fi
#endif
        fi
     fi
  od
}

inline take(its_what) {
  if
  :: its_what == FILLING -> take_free()
  :: else -> take_full(its_what)
  fi;
  atomic {
    s.ticket = 0;
    s.who = 0;
    s.what = 0;
    over = false;
    hit = false;
    nr = (got == OK -> nr : 0)
  }
}

/* The place after that of the ticket taken may have changed sides while that one was in the way. */
inline pass_on(its_what, l) {
#ifdef NO_LOOK_AT_NEXT
  skip
#else
  if
  :: got == OK && its_what != SHOWING && lines[l].length > 0 ->
     read_place(nr + 1);
#ifdef ENDS
     if
     :: s.what == (its_what == FILLING -> EMPTYING : FILLING) -> late = gone[s.who]
     :: else
     fi;
#endif
     atomic {
       late = late || (s.what == (its_what == FILLING -> FREE : FULL) && s.ticket == nr + 1);
       s.ticket = 0;
       s.who = 0;
       s.what = 0
     }
     if
     :: late -> late = false; wake_first(l)
     :: else
     fi
  :: else
  fi
#endif
}

/* Sleeps until woken or expired. */
inline sleep() {
  d_step {
    wake[me] != WAITING -> last = wake[me] == EXPIRED;
    wake[me] = NONE
  }
}

/* Takes the announcement back; passes a wake-up on that has come meanwhile. */
inline retract(l) {
  d_step {
    late = wake[me] != WAITING;
    wake[me] = NONE
  }
#ifndef NO_PASSING_ON
  if
  :: late -> wake_first(l)
  :: else
  fi;
#endif
  late = false
}

/* Takes a place and waits for it: `got`. */
inline take_waiting(its_what, l) {
  last = false;
  take(its_what);
  pass_on(its_what, l);
  do
  :: got != BUSY -> break
  :: else ->
     lock_line(l);
     join(l);
     unlock_line(l);
#ifdef NO_LAST_LOOK
     got = BUSY;
#else
     take(its_what);
     pass_on(its_what, l);
#endif
     if
     :: got != BUSY || last ->
        quit(l);
        retract(l);
        if
        :: got == BUSY -> got = PENDING
        :: else
        fi
     :: else ->
        sleep();
        quit(l);
        got = BUSY
     fi
  od;
  last = false
}

/* ---- Pushing and popping -------------------------------------------------------------------- */

inline push_begin(ticket) {
  take_waiting(FILLING, PUSHERS);
  if
  :: got == OK ->
     ticket = nr;
     d_step {
       assert(readers[nr % DEPTH] == 0);
       data[nr % DEPTH] = nr
     }
  :: else
  fi
}

inline push_end(ticket) {
  pushed[ticket] = true;
  let_pop(ticket)
}

inline push() {
  push_begin(a);
  if
  :: got == OK -> push_end(a)
  :: else
  fi
}

inline pop_begin(ticket) {
  take_waiting(EMPTYING, POPPERS);
  if
  :: got == OK ->
     d_step {
       ticket = nr;
       readers[nr % DEPTH]++
     }
     d_step {
       assert(data[ticket % DEPTH] == ticket);
       readers[ticket % DEPTH]--
     }
  :: else
  fi
}

inline pop() {
  pop_begin(a);
  if
  :: got == OK -> let_push(a)
  :: else
  fi
}

/* The end of the task with a place open: those who wait for queues look again. */
inline forsake() {
  gone[me] = true;
#ifndef NO_FORSAKING
  w = 0;
  do
  :: w == TASKS -> break
  :: else ->
     d_step {
       wake[w] = (wake[w] == WAITING -> WOKEN : wake[w]);
       w++
     }
  od;
  w = 0
#endif
}

proctype pusher(byte me) {
  state s;
  byte nr, a, b, w;
  mtype got;
  bool hit, done, late, over, last;
  if
  :: me == 0 ->
#if defined(OPEN)
     push_begin(a);
     push_begin(b);
     push_end(b);
     push_end(a)
#elif defined(LEFT)
     push_begin(a);
     forsake()
#else
     push();
#ifdef ROUND
     push()
#endif
#endif
  :: else ->
     push();
#ifdef ROUND
     push()
#endif
  fi;
#ifdef CLOSED
  if
  :: me == 0 ->
     closed = true;
     do
     :: lines[PUSHERS].length == 0 -> break
     :: else -> wake_first(PUSHERS)
     od;
     do
     :: lines[POPPERS].length == 0 -> break
     :: else -> wake_first(POPPERS)
     od
  :: else
  fi;
#endif
  busy--
}

proctype popper(byte me) {
  state s;
  byte nr, a, b, w;
  mtype got;
  bool hit, done, late, over, last;
  if
  :: me == 2 ->
#if defined(OPEN)
     pop_begin(a);
     pop_begin(b);
     let_push(b);
     let_push(a)
#elif defined(DROPPED)
     pop_begin(a);
     forsake()
#elif defined(LEFT)
     skip
#elif defined(LOOKED)
     take(SHOWING);
     if
     :: got == OK -> forsake()
     :: else
     fi
#elif defined(CLOSED)
     do
     :: got == CANCELLED -> break
     :: else -> pop()
     od
#else
     pop();
#ifdef ROUND
     pop()
#endif
#endif
  :: else ->
#if defined(LOOKED)
     pop();
#endif
#if defined(PEEKS)
     take_waiting(SHOWING, POPPERS);
     d_step {
       a = nr;
       readers[a % DEPTH]++
     }
     d_step {
       assert(data[a % DEPTH] == a);
       readers[a % DEPTH]--
     }
     let_pop(a);
#endif
#if defined(CLOSED)
     do
     :: got == CANCELLED -> break
     :: else -> pop()
     od
#else
     pop();
#ifdef ROUND
     pop()
#endif
#endif
  fi;
  busy--
}

init {
  byte i;
  d_step {
    tail = START;
    head = START;
    next_out = START;
    do
    :: i == DEPTH -> break
    :: else ->
       places[(START + i) % DEPTH].ticket = START + i;
       places[(START + i) % DEPTH].what = FREE;
       i++
    od;
    wake[0] = NONE;
    wake[1] = NONE;
    wake[2] = NONE;
    wake[3] = NONE;
    i = 0;
    busy = TASKS
  }
  atomic {
    run pusher(0);
    run pusher(1);
    run popper(2);
    run popper(3)
  }
}
