/* ni.pml - the network interface's acknowledgements, repetitions and chains, in all orders
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol of runtime/ni (send.c, repeat.c, source.c, receive.c) with the packetizer and the
 * mailbox of runtime/model; docs/hacker/ni.md describes it. PAGES pages of CHANNELS channels send
 * reliable messages to one mailbox with room for ROOM packets. The network has SLOTS packets and
 * acknowledgements under way. It loses any of them, delivers it twice, and delivers them in any
 * order; a copy lives until its page has sent LIFETIME newer messages. A time-out may come at any
 * time. The model carries the number of a message, from 1 on, through the network to check what is
 * delivered; the protocol looks at `seq`, `behind` and `use` (the incarnation) alone.
 *
 * Checked always: a message is delivered once at most, and those of a channel in their order; a
 * chained message is delivered after the one before it (deliver). What is acknowledged is in the
 * mailbox (acknowledge), and what is dropped there was delivered, or its sender has been told that
 * it may be lost (drop). Every message comes to an end that its sender
 * learns, and nothing stops before that: the run ends nowhere else. The ltl formula of FAIR: with
 * FAULTS faults of the network, and time-outs only when nothing of the message is under way, every
 * message is acknowledged.
 *
 * DEATH_SENDER    the owner of page 0 dies at any time, and another process attaches to the page
 * DEATH_READER    the reader dies at any time; another one attaches to its mailbox, or nobody does
 * PLAIN           no repetition and no suppression: what the network duplicates is delivered again
 *
 * NO_WITHDRAW     the device takes no message back that waits for the one before it
 *
 * LOOKS_LATER     the library looks at the state of a channel at any time, not at each change of it
 *
 * ni.py lists the configurations, and the variants in which one rule is left out: for each of them
 * Spin has to find a counterexample.
 */
#ifndef PAGES
#define PAGES 1
#endif
#ifndef CHANNELS
#define CHANNELS 2
#endif
#ifndef MESSAGES
#define MESSAGES 3 /* of a page */
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef ROOM
#define ROOM 1
#endif
#ifndef RETRIES
#define RETRIES 1
#endif
#ifndef NUMBERS
#define NUMBERS 16 /* sequence numbers there are: 2^16 in the code */
#endif
#define HALF (NUMBERS / 2)
#ifndef WINDOW
#define WINDOW 4 /* 64 in the code */
#endif
#ifndef LIFETIME
#define LIFETIME 4 /* at most HALF - WINDOW, or HALF where one message is pending at a time */
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifdef LOOKS_LATER
#define LOOKS_AT_ONCE false
#else
#define LOOKS_AT_ONCE true
#endif
#define USES 4 /* incarnations: 2^11 in the code */

#define FLOWS (PAGES * CHANNELS)
#define PAGE(f) ((f) / CHANNELS)
#define BESIDE(f, d) (PAGE(f) * CHANNELS + ((f) + CHANNELS + (d)) % CHANNELS)
#define BIT(m) (1 << (m))

mtype = { IDLE, QUEUED, ACKNOWLEDGED, TIMED_OUT };

typedef channel {
  /* The packetizer's. */
  mtype state;
  bool sent, waits;
  /* The library's. */
  bool pending, chained; /* chained: AUTO_CHAIN of word 1 */
  bool orphan; /* it is chained to one that was given up, and cannot be withdrawn */
  byte seq, behind, tries, message;
  bool after; /* it is to be delivered after the one before: for the checks alone */
}
channel channels[FLOWS];

typedef attachment {
  byte next;     /* seq of the next message */
  byte use;
  byte confirmed; /* seq of the newest acknowledged message, plus 1 */
  byte turn;     /* the flow after the last one that was used */
  byte newest;   /* the message that was sent last */
  byte first;    /* of this owner */
  bool broken;   /* that one was given up */
  bool dead;
  int given_up;  /* messages of which the sender has been told, or is dead: for the checks alone */
}
attachment pages[PAGES];

/* A packet or acknowledgement under way. `try` stands for the number that the packetizer gives to
 * each packet: a repetition has another one. */
typedef packet {
  bool used, ack, chained;
  byte flow, seq, behind, use, message, try;
}
packet wire[SLOTS];

/* The mailbox: flow, seq, behind, use, message, chained. */
chan box = [ROOM] of { byte, byte, byte, byte, byte, bool };
bool closed;

/* What the reader knows of a source. newest: of each channel, seq of the last message accepted. */
typedef source {
  bool known;
  byte use, previous, base, received;
}
source sources[PAGES];
byte newest[FLOWS];
bool has_newest[FLOWS];

/* For the checks alone: messages that have been in the mailbox, that this reader has got, and those
 * before it; the last one of each channel. */
int arrived[PAGES], delivered[PAGES], before[PAGES];
byte last[FLOWS];

byte faults;
byte finished;            /* programs that know the end of all of their messages */

/* ---- The network ------------------------------------------------------------------------- */

inline clear(s) {
  wire[s].used = false;
  wire[s].ack = false;
  wire[s].chained = false;
  wire[s].flow = 0;
  wire[s].seq = 0;
  wire[s].behind = 0;
  wire[s].use = 0;
  wire[s].message = 0;
  wire[s].try = 0
}

/* A free slot, or SLOTS: then what was to be sent is lost. */
inline find_slot(i) {
  i = 0;
  do
  :: i < SLOTS && wire[i].used -> i++
  :: else -> break
  od
}

/* Sends the message of flow f, and ends the life of copies that are too old. */
inline transmit(f, i) {
  i = 0;
  do
  :: i < SLOTS ->
     if
     :: wire[i].used && PAGE(wire[i].flow) == PAGE(f) &&
        channels[f].message >= wire[i].message + LIFETIME -> clear(i)
     :: else
     fi;
     i++
  :: else -> break
  od;
  find_slot(i);
  if
  :: i < SLOTS ->
     wire[i].used = true;
     wire[i].flow = f;
     wire[i].seq = channels[f].seq;
     wire[i].behind = channels[f].behind;
     wire[i].use = pages[PAGE(f)].use;
     wire[i].message = channels[f].message;
     wire[i].try = channels[f].tries;
     wire[i].chained = channels[f].after
  :: else
  fi;
  i = 0
}

/* quiet: the message of flow f was sent, and neither it nor its acknowledgement is under way. */
inline look_for(f, i, quiet) {
  quiet = channels[f].sent;
  i = 0;
  do
  :: i < SLOTS ->
     if
     :: wire[i].used && wire[i].flow == f && wire[i].message == channels[f].message -> quiet = false
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

#ifdef FAIR
#define MAY_FAIL (faults < FAULTS)
#define FAULT faults++
#else
#define MAY_FAIL true
#define FAULT skip
#endif

/* ---- The interface: memlift_ni_arrive, take, acknowledge, send_ready, expire --------------- */

/* A packet reaches the mailbox; answer: it is acknowledged. */
inline arrive(s, answer) {
  answer = false;
  if
  :: !closed && nfull(box) ->
     box!wire[s].flow, wire[s].seq, wire[s].behind, wire[s].use, wire[s].message, wire[s].chained;
     arrived[PAGE(wire[s].flow)] = arrived[PAGE(wire[s].flow)] | BIT(wire[s].message);
     answer = true
  :: !closed && full(box) ->
#ifdef ACKNOWLEDGE_FIRST
     answer = true
#else
     skip
#endif
  :: closed
  fi
}

/* The library notes the end of a message: settle of send.c. */
inline settle(f, good) {
  channels[f].pending = false;
  channels[f].orphan = false;
  channels[f].tries = 0;
  if
  :: good && (channels[f].seq + NUMBERS - pages[PAGE(f)].confirmed) % NUMBERS < HALF ->
     pages[PAGE(f)].confirmed = (channels[f].seq + 1) % NUMBERS
  :: good && (channels[f].seq + NUMBERS - pages[PAGE(f)].confirmed) % NUMBERS >= HALF
  :: !(good) ->
     pages[PAGE(f)].given_up = pages[PAGE(f)].given_up | BIT(channels[f].message);
     if
     :: channels[f].message == pages[PAGE(f)].newest -> pages[PAGE(f)].broken = true
     :: else
     fi
  fi
}

inline acknowledge(s, f) {
  f = wire[s].flow;
  if
#ifdef NO_NUMBER_IN_ANSWER
  :: channels[f].state == QUEUED && channels[f].sent ->
#else
  :: channels[f].state == QUEUED && channels[f].message == wire[s].message &&
     channels[f].tries == wire[s].try ->
#endif
     assert(arrived[PAGE(f)] & BIT(channels[f].message));
     channels[f].state = ACKNOWLEDGED;
#ifndef CHAIN_BY_REGISTER
     channels[BESIDE(f, 1)].waits = false;
#endif
     if
     :: LOOKS_AT_ONCE && !pages[PAGE(f)].dead -> settle(f, true)
     :: else
     fi
  :: else
  fi;
  f = 0
}

#define UNACKNOWLEDGED(f) (channels[f].state == QUEUED || channels[f].state == TIMED_OUT)

#ifdef CHAIN_BY_REGISTER /* looks at the channel before when it is about to send */
#define READY(f) (!channels[f].waits || !UNACKNOWLEDGED(BESIDE(f, -1)))
#else
#define READY(f) (!channels[f].waits)
#endif

#ifdef HEAD_OF_LINE
chan triggered = [FLOWS] of { byte }; /* sent in this order; what is sent again comes last */
#define TURN(f) && triggered?[eval(f)]
#else
#define TURN(f)
#endif

inline ring(f) {
  channels[f].waits = channels[f].chained && UNACKNOWLEDGED(BESIDE(f, -1));
  channels[f].sent = false;
  channels[f].state = QUEUED;
#ifdef HEAD_OF_LINE
  triggered!f
#endif
}

#ifdef FAIR
#define MAY_EXPIRE(f) channels[f].sent
#define EXPIRES quiet
#define MAY_RETRY true
#else
#define MAY_EXPIRE(f) true
#define EXPIRES true
#ifdef REPEATS_ORPHANS
#define MAY_RETRY (channels[f].tries < RETRIES)
#else
#define MAY_RETRY (channels[f].tries < RETRIES && !channels[f].orphan)
#endif
#endif

/* ---- The library: send.c and repeat.c ------------------------------------------------------ */

/* memlift_ni_repeat. The message before is acknowledged if it is not pending: else this one would
 * have been cancelled. */
inline repeat(f) {
#ifndef FAIR
  channels[f].tries++;
#endif
#ifndef WAIT_AGAIN
  if
  :: channels[BESIDE(f, -1)].pending &&
     channels[BESIDE(f, -1)].message == channels[f].message - 1
  :: else -> channels[f].chained = false
  fi;
#endif
#ifdef NEW_NUMBER_FOR_RETRY
  channels[f].seq = pages[PAGE(f)].next;
  pages[PAGE(f)].next = (pages[PAGE(f)].next + 1) % NUMBERS;
#endif
  ring(f)
}

/* give_up: those that are chained to it are withdrawn, or marked where the device has no way to do
 * that: they are not sent unless the acknowledgement comes late, and not repeated. */
inline give_up(f, g, m) {
  settle(f, false);
#ifdef CHAIN_GOES_ON
  channels[BESIDE(f, 1)].waits = false
#elif defined NO_WITHDRAW
  g = BESIDE(f, 1);
  if
  :: g != f && channels[g].pending && channels[g].chained &&
     channels[g].message == channels[f].message + 1 -> channels[g].orphan = true
  :: else
  fi;
  g = 0
#else
  m = channels[f].message + 1;
  g = BESIDE(f, 1);
  do
  :: g != f && channels[g].pending && channels[g].chained && channels[g].message == m &&
     !channels[g].sent ->
     channels[g].state = IDLE;
     channels[g].waits = false;
     settle(g, false);
     m++;
     g = BESIDE(g, 1)
  :: else -> break
  od;
  g = 0;
  m = 0
#endif
}

/* One channel of the hardware, and what the library does about it. */
proctype packetizer(byte f) {
  byte g, i, m;
  bool quiet;
end:
  do
  :: atomic {
       channels[f].state == QUEUED && !channels[f].sent && READY(f) TURN(f) ->
       channels[f].sent = true;
#ifdef HEAD_OF_LINE
       triggered?eval(f);
#endif
       transmit(f, i)
     }
  :: atomic {
       channels[f].state == QUEUED && MAY_EXPIRE(f) ->
       look_for(f, i, quiet);
       if
       :: EXPIRES ->
          channels[f].state = TIMED_OUT;
          if
          :: LOOKS_AT_ONCE && !pages[PAGE(f)].dead && MAY_RETRY -> repeat(f)
          :: LOOKS_AT_ONCE && !pages[PAGE(f)].dead && !(MAY_RETRY) -> give_up(f, g, m)
          :: else
          fi
       :: else
       fi;
       quiet = false
     }
#ifdef LOOKS_LATER
  :: atomic {
       channels[f].pending && !pages[PAGE(f)].dead && channels[f].state == ACKNOWLEDGED ->
       settle(f, true)
     }
  :: atomic {
       channels[f].pending && !pages[PAGE(f)].dead && channels[f].state == TIMED_OUT ->
       if
       :: MAY_RETRY -> repeat(f)
       :: else -> give_up(f, g, m)
       fi
     }
#endif
  od
}

/* What becomes of slot s: lost, delivered, or delivered and still there. */
proctype network(byte s) {
  byte f, i;
  bool answer;
end:
  do
  :: atomic { wire[s].used && MAY_FAIL -> clear(s); FAULT }
  :: atomic { wire[s].used && wire[s].ack -> acknowledge(s, f); clear(s) }
  :: atomic { wire[s].used && wire[s].ack && MAY_FAIL -> acknowledge(s, f); FAULT }
  :: atomic {
       wire[s].used && !wire[s].ack ->
       arrive(s, answer);
       if
       :: answer -> wire[s].ack = true
       :: else -> clear(s)
       fi;
       answer = false
     }
  :: atomic {
       wire[s].used && !wire[s].ack && MAY_FAIL ->
       arrive(s, answer);
       FAULT;
       find_slot(i);
       if
       :: answer && i < SLOTS ->
          wire[i].used = true;
          wire[i].ack = true;
          wire[i].flow = wire[s].flow;
          wire[i].message = wire[s].message;
          wire[i].try = wire[s].try
       :: else
       fi;
       i = 0;
       answer = false
     }
  od
}

/* ---- The reader: source.c and receive.c ---------------------------------------------------- */

typedef entry {
  byte flow, seq, behind, use, message;
  bool chained;
}

inline begin(r) {
  sources[p].previous = (sources[p].known -> sources[p].use : r.use);
  sources[p].known = true;
  sources[p].use = r.use;
  sources[p].base = (r.seq + NUMBERS - r.behind) % NUMBERS;
  sources[p].received = 0;
  i = 0;
  do
  :: i < CHANNELS -> has_newest[p * CHANNELS + i] = false; newest[p * CHANNELS + i] = 0; i++
  :: else -> break
  od;
  i = 0
}

/* Moves base over numbers that will not come. */
inline advance(r) {
#ifdef NO_BEHIND
  skip
#else
  by = (r.seq + 2 * NUMBERS - r.behind - sources[p].base) % NUMBERS;
  if
  :: by != 0 && by < HALF ->
     sources[p].received = (by < WINDOW -> sources[p].received >> by : 0);
     sources[p].base = (sources[p].base + by) % NUMBERS
  :: else
  fi
#endif
}

/* How much newer an incarnation is. */
#define NEWER(r) ((r.use + USES - sources[p].use) % USES)

/* memlift_ni_accept; fresh: it is none that has been received. */
inline accept(r) {
  fresh = false;
  if
  :: !sources[p].known -> begin(r); fresh = true
#ifdef LAST_INCARNATION_ONLY /* begins anew for all but the one before */
  :: sources[p].known && r.use == sources[p].previous && r.use != sources[p].use
  :: sources[p].known && r.use != sources[p].previous && r.use != sources[p].use ->
     begin(r);
     fresh = true
  :: sources[p].known && r.use == sources[p].use -> fresh = true
#else
  :: sources[p].known && NEWER(r) == 0 -> fresh = true
  :: sources[p].known && NEWER(r) > 0 && NEWER(r) < USES / 2 -> begin(r); fresh = true
  :: sources[p].known && NEWER(r) >= USES / 2
#endif
  fi;
  if
  :: fresh ->
     advance(r);
#ifndef CHANNEL_ORDER_FOR_EVER
     i = 0;
     do
     :: i < CHANNELS ->
        if
        :: (newest[p * CHANNELS + i] + NUMBERS - sources[p].base) % NUMBERS >= WINDOW ->
           has_newest[p * CHANNELS + i] = false;
           newest[p * CHANNELS + i] = 0
        :: else
        fi;
        i++
     :: else -> break
     od;
     i = 0;
#endif
     by = (r.seq + NUMBERS - sources[p].base) % NUMBERS;
     if
     :: by >= WINDOW || (sources[p].received >> by & 1) -> fresh = false
#ifndef NO_CHANNEL_ORDER
     :: else ->
        if
        :: has_newest[r.flow] && (newest[r.flow] + NUMBERS - r.seq) % NUMBERS < HALF ->
           fresh = false
        :: else -> newest[r.flow] = r.seq; has_newest[r.flow] = true
        fi
#else
     :: else
#endif
     fi
  :: else
  fi;
  if
  :: fresh ->
     sources[p].received = sources[p].received | (1 << by);
     do
     :: sources[p].received & 1 ->
        sources[p].received = sources[p].received >> 1;
        sources[p].base = (sources[p].base + 1) % NUMBERS
     :: else -> break
     od
  :: else
  fi;
  by = 0
}

#define KNOWN_TO(p, m) ((delivered[p] | before[p]) & BIT(m))

inline deliver(r) {
#ifndef PLAIN
  assert(!(delivered[p] & BIT(r.message))); /* once */
  assert(r.message > last[r.flow]);         /* in the order of the channel */
#endif
  assert(!r.chained || KNOWN_TO(p, r.message - 1));
  delivered[p] = delivered[p] | BIT(r.message);
  last[r.flow] = r.message
}

/* Nothing is lost of which the sender believes that it has arrived. */
inline drop(r) {
  assert(KNOWN_TO(p, r.message) || (pages[p].given_up & BIT(r.message)))
}

active proctype reader() {
  entry r;
  byte p, i, by;
  bool fresh;
end:
  do
  :: atomic {
       !closed && nempty(box) ->
       box?r.flow, r.seq, r.behind, r.use, r.message, r.chained;
       p = PAGE(r.flow);
#if defined PLAIN || defined NO_SUPPRESSION
       fresh = true;
#else
       accept(r);
#endif
       if
       :: fresh -> deliver(r)
       :: else -> drop(r)
       fi;
       r.flow = 0;
       r.seq = 0;
       r.behind = 0;
       r.use = 0;
       r.message = 0;
       r.chained = false;
       p = 0;
       fresh = false
     }
  od
}

/* ---- Processes ----------------------------------------------------------------------------- */

/* How far the next number is ahead of a pending message, and of the oldest one. */
#define AHEAD(f)                                                                                   \
  (channels[f].pending -> (pages[PAGE(f)].next + NUMBERS - channels[f].seq) % NUMBERS : 0)
#define FIRST(p) ((p) * CHANNELS)
#define LAST(p) ((p) * CHANNELS + CHANNELS - 1) /* CHANNELS is 1 or 2 */
#define BEHIND(p) (AHEAD(FIRST(p)) > AHEAD(LAST(p)) -> AHEAD(FIRST(p)) : AHEAD(LAST(p)))

/* So many numbers are beyond the newest acknowledged one that the next would be taken for an old
 * one. Of messages that are pending the end is waited for. */
#ifdef NO_REFUSAL
#define REFUSED(p) false
#else
#define REFUSED(p) ((pages[p].next + NUMBERS - pages[p].confirmed) % NUMBERS >= HALF - WINDOW)
#endif

#ifdef NO_WINDOW
#define HAS_ROOM(p) true
#else
#define HAS_ROOM(p) (BEHIND(p) < WINDOW)
#endif

#ifdef NO_WAIT_FOR_END
#define FREE(f) true
#else
#ifdef REUSES_CHANNEL
#define FREE(f) (!channels[f].pending)
#else /* an acknowledgement of its next message would release the one that is chained to the last */
#define FREE(f) (!channels[f].pending && !channels[BESIDE(f, 1)].orphan)
#endif
#endif

#define MAY_SEND(p) (m <= MESSAGES && !REFUSED(p) && HAS_ROOM(p))

/* The owner of a page puts message m into a free channel. */
inline send(f, chain) {
  channels[f].behind = BEHIND(page);
  channels[f].seq = pages[page].next;
  pages[page].next = (pages[page].next + 1) % NUMBERS;
  channels[f].message = m;
  channels[f].chained = chain && !pages[page].broken;
  channels[f].after = channels[f].chained && m > first;
  channels[f].tries = 0;
  channels[f].pending = true;
  pages[page].broken = false;
  pages[page].newest = m;
  ring(f);
  pages[page].turn = BESIDE(f, 1); /* the last: f may be written with it */
  m++
}

proctype program(byte page; byte first) {
  byte m = first;
  {
    do
    :: atomic {
         m <= MESSAGES && REFUSED(page) && FREE(FIRST(page)) && FREE(LAST(page)) ->
         pages[page].given_up = pages[page].given_up | BIT(m);
         m++
       }
    :: atomic { MAY_SEND(page) && FREE(FIRST(page)) -> send(FIRST(page), false) }
#if CHANNELS > 1
    :: atomic { MAY_SEND(page) && FREE(LAST(page)) -> send(LAST(page), false) }
    :: atomic { MAY_SEND(page) && FREE(pages[page].turn) -> send(pages[page].turn, true) }
#endif
    :: atomic {
         m > MESSAGES && !channels[FIRST(page)].pending && !channels[LAST(page)].pending ->
         finished++;
         break
       }
    od
  } unless { pages[page].dead || pages[page].first != first }
}

#ifdef DEATH_SENDER
/* The owner of page 0 dies, and another process attaches to the page: memlift_ni_reset_sender, and
 * a library that begins anew. */
active proctype death() {
  byte f, m;
end:
  atomic {
    finished < PAGES && pages[0].newest > 0 ->
    pages[0].dead = true;
    m = 1;
    do
    :: m <= pages[0].newest -> pages[0].given_up = pages[0].given_up | BIT(m); m++
    :: else -> break
    od
  }
  atomic {
    true ->
    do
    :: f < CHANNELS ->
#ifndef NO_RESET_AT_DEATH
       channels[f].state = IDLE;
       channels[f].waits = false;
       channels[f].sent = false;
#endif
       channels[f].pending = false;
       channels[f].orphan = false;
       channels[f].tries = 0;
       f++
    :: else -> break
    od;
    f = 0;
    m = 0;
    pages[0].dead = false;
    pages[0].broken = false;
    pages[0].next = 0;
    pages[0].confirmed = 0;
    pages[0].turn = 0;
    pages[0].first = pages[0].newest + 1;
#ifndef SAME_INCARNATION
    pages[0].use = (pages[0].use + 1) % USES;
#endif
    run program(0, pages[0].newest + 1)
  }
}
#endif

#ifdef DEATH_READER
/* The mailbox is emptied when another reader attaches to it, who knows of no source. */
active proctype death() {
  byte i;
  entry r;
end:
  atomic {
    true ->
    closed = true;
    do
    :: nempty(box) ->
       box?r.flow, r.seq, r.behind, r.use, r.message, r.chained;
       before[PAGE(r.flow)] = before[PAGE(r.flow)] | BIT(r.message)
    :: empty(box) -> break
    od
  }
end_closed:
  atomic {
    true ->
    closed = false;
    do
    :: i < PAGES ->
       before[i] = before[i] | delivered[i];
       delivered[i] = 0;
       sources[i].known = false;
       i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < FLOWS -> last[i] = 0; i++
    :: else -> break
    od;
    i = 0
  }
}
#endif

#ifdef FAIR
ltl ends { <> (finished == PAGES) }
#endif

init {
  byte i;
  atomic {
    do
    :: i < FLOWS -> channels[i].state = IDLE; run packetizer(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < SLOTS -> run network(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < PAGES -> pages[i].turn = FIRST(i); pages[i].first = 1; run program(i, 1); i++
    :: else -> break
    od;
    i = 0
  }
}
