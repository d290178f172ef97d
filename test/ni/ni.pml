/* ni.pml - the network interface's acknowledgements, retries and auto-chain, in all orders
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PAGES pages of CHANNELS channels send to one mailbox; docs/hacker/ni.md describes the protocol.
 * The network has SLOTS packets and acknowledgements under way. It loses any of them, delivers it
 * twice, and delivers them in any order; a copy lives until its channel has sent LIFETIME newer
 * messages. A time-out may come at any time after a packet was sent, also when its acknowledgement
 * is only late. The mailbox has room for ROOM messages and a reader that empties it. Message m of a
 * page (from 1 on) uses channel m % CHANNELS and may be chained to message m - 1. The model carries
 * m through the network to check what is delivered; the protocol looks at `number` alone.
 *
 * Checked always: a message is delivered at most once, and the messages of a channel in their order
 * (deliver); an acknowledged message was delivered (acknowledge); a chained message is delivered
 * after the one before it; every message comes to an end that its sender learns, and nothing stops
 * before that (the run ends nowhere else). The ltl formula of FAIR: with FAULTS faults of the
 * network, and time-outs only when nothing of the message is under way, every message is
 * acknowledged.
 *
 * DEATH_SENDER    the owner of page 0 dies at any time, and another process attaches to the page
 * DEATH_READER    the reader dies at any time; another one attaches to its mailbox, or nobody does
 * UNRELIABLE      no retry and no suppression: what the network duplicates is delivered again
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
#define NUMBERS 8 /* sequence numbers there are: 2^16 in the code */
#endif
#ifndef WINDOW
#define WINDOW 4 /* numbers beyond the last one that are new: NUMBERS / 2 */
#endif
#ifndef LIFETIME
#define LIFETIME 4 /* at most NUMBERS - WINDOW */
#endif
#ifndef FAULTS
#define FAULTS 2
#endif

#define FLOWS (PAGES * CHANNELS)
#define FLOW(page, message) ((page) * CHANNELS + (message) % CHANNELS)

mtype = { IDLE, QUEUED, SENT, ACKNOWLEDGED, GIVEN_UP, UNSENT };

/* A channel of the packetizer. `number` and `failures` are the page's: they outlive its owner. */
typedef channel {
  mtype status;
  byte number;   /* of the message in it, or of the last one */
  byte failures; /* given up since the last acknowledgement */
  byte tries;
  byte message;
  bool chained, waits; /* waits: for the end of the message before */
  bool orphan;         /* nobody looks at its time-outs: the owner has died */
}
channel channels[FLOWS];

/* A packet or acknowledgement under way. */
typedef packet {
  bool used, ack, chained;
  byte flow, number, message;
}
packet wire[SLOTS];
#ifdef HEAD_OF_LINE
chan triggered = [FLOWS] of { byte }; /* sent in this order; what is sent again comes last */
#endif

/* The mailbox. */
byte last[FLOWS]; /* the number that was accepted last */
byte held;        /* messages in it */
bool closed;

byte delivered[FLOWS]; /* the newest message; for the checks alone */
byte faults;
byte finished;         /* programs that know the end of all of their messages */
bool dead[PAGES];
byte newest[PAGES];     /* the next message of a page */

#define UNDER_WAY(f) (channels[f].status == QUEUED || channels[f].status == SENT)

/* ---- The network --------------------------------------------------------------------------- */

/* True if nothing of flow f is under way. */
inline look_for(f, quiet) {
  quiet = true;
  i = 0;
  do
  :: i < SLOTS ->
     if
     :: wire[i].used && wire[i].flow == f -> quiet = false
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

inline clear(s) {
  wire[s].used = false;
  wire[s].ack = false;
  wire[s].chained = false;
  wire[s].flow = 0;
  wire[s].number = 0;
  wire[s].message = 0
}

/* Clears copies of flow f that have lived too long when its next message is sent for the first
 * time. */
inline expire(f) {
  i = 0;
  do
  :: i < SLOTS ->
     if
     :: wire[i].used && wire[i].flow == f &&
        channels[f].message >= wire[i].message + LIFETIME * CHANNELS -> clear(i)
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

/* Puts the message of flow f into the network, which has no room for all: then it is lost. */
inline transmit(f) {
  i = 0;
  do
  :: i < SLOTS && wire[i].used -> i++
  :: i < SLOTS && !wire[i].used ->
     wire[i].used = true;
     wire[i].flow = f;
     wire[i].number = channels[f].number;
     wire[i].message = channels[f].message;
     wire[i].chained = channels[f].chained;
     break
  :: else -> break
  od;
  i = 0
}

/* Sends the acknowledgement of the packet in slot s, which stays. */
inline answer_beside(s) {
  i = 0;
  do
  :: i < SLOTS && wire[i].used -> i++
  :: i < SLOTS && !wire[i].used ->
     wire[i].used = true;
     wire[i].ack = true;
     wire[i].flow = wire[s].flow;
     wire[i].number = wire[s].number;
     wire[i].message = wire[s].message;
     break
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

/* ---- The mailbox --------------------------------------------------------------------------- */

inline deliver(s) {
  held++;
#ifndef UNRELIABLE
  assert(wire[s].message > delivered[wire[s].flow]); /* once, and in order */
#endif
  if
  :: wire[s].chained ->
     assert(delivered[FLOW(wire[s].flow / CHANNELS, wire[s].message - 1)] >= wire[s].message - 1)
  :: else
  fi;
  if
  :: wire[s].message > delivered[wire[s].flow] -> delivered[wire[s].flow] = wire[s].message
  :: else
  fi
}

/* How far the number is ahead of the last one that was accepted. */
#define AHEAD(s) ((wire[s].number + NUMBERS - last[wire[s].flow]) % NUMBERS)

/* Decides about the packet in slot s: answer is true if it is acknowledged. */
inline arrive(s) {
  answer = false;
  if
  :: closed /* no room for anybody */
#if defined UNRELIABLE || defined NO_SUPPRESSION
  :: !closed && held < ROOM -> deliver(s); answer = true
  :: !closed && held == ROOM
#else
  :: !closed && AHEAD(s) == 0 -> /* a copy of the last one: its acknowledgement may be lost */
#ifndef NO_ANSWER_AGAIN
     answer = true
#else
     skip
#endif
  :: !closed && AHEAD(s) > WINDOW /* a copy of an older one */
  :: !closed && AHEAD(s) >= 1 && AHEAD(s) <= WINDOW ->
     if
     :: held < ROOM -> last[wire[s].flow] = wire[s].number; deliver(s); answer = true
#if defined ACKNOWLEDGE_FIRST
     :: held == ROOM -> answer = true
#elif defined NUMBER_FIRST
     :: held == ROOM -> last[wire[s].flow] = wire[s].number
#else
     :: held == ROOM
#endif
     fi
#endif
  fi
}

/* Ends the message in flow f. The one that is chained to it, if there is one, is free to go, or is
 * not sent, and neither is what is chained to that one. */
inline release(f, good) {
  p = f / CHANNELS;
  m = channels[f].message + 1;
  do
  :: channels[FLOW(p, m)].status == QUEUED && channels[FLOW(p, m)].waits &&
     channels[FLOW(p, m)].message == m ->
#ifndef CHAIN_BY_REGISTER
     channels[FLOW(p, m)].waits = false;
#endif
#ifndef CHAIN_GOES_ON
     if
     :: good -> break
     :: else -> channels[FLOW(p, m)].status = UNSENT; m++
     fi
#else
     break
#endif
  :: else -> break
  od;
  p = 0;
  m = 0
}

/* The channel learns of an acknowledgement; those of older messages are ignored. */
inline acknowledge(f, s) {
  if
#ifdef NO_NUMBER_IN_ANSWER
  :: channels[f].status == SENT ->
#else
  :: channels[f].status == SENT && channels[f].number == wire[s].number ->
#endif
     assert(delivered[f] >= channels[f].message);
     channels[f].status = ACKNOWLEDGED;
     channels[f].failures = 0;
     channels[f].tries = 0;
     release(f, true)
  :: else
  fi
}

/* ---- The packetizer ------------------------------------------------------------------------ */

#ifdef CHAIN_BY_REGISTER /* looks at the previous channel when it is about to send */
#define READY(f) (!channels[f].waits || !UNDER_WAY(FLOW((f) / CHANNELS, channels[f].message - 1)))
#else
#define READY(f) (!channels[f].waits)
#endif

#ifdef HEAD_OF_LINE
#define TURN(f) && triggered?[eval(f)]
#else
#define TURN(f)
#endif

#ifdef FAIR
#define MAY_TIME_OUT quiet
#define MAY_RETRY true
#else
#define MAY_TIME_OUT true
#define MAY_RETRY (channels[f].tries < RETRIES)
#endif

/* One channel of the hardware, and the retries of the library: each step as a whole. */
proctype packetizer(byte f) {
  byte i, m, p;
  bool quiet;
end:
  do
  :: atomic {
       channels[f].status == QUEUED && READY(f) TURN(f) ->
       channels[f].waits = false;
#ifdef HEAD_OF_LINE
       triggered?eval(f);
#endif
       channels[f].status = SENT;
       expire(f);
       transmit(f)
     }
  :: atomic {
       channels[f].status == SENT && !channels[f].orphan ->
       look_for(f, quiet);
       if
       :: MAY_TIME_OUT && MAY_RETRY ->
#ifndef FAIR
          channels[f].tries++;
#endif
#ifdef NEW_NUMBER_FOR_RETRY
          channels[f].number = (channels[f].number + 1) % NUMBERS;
#endif
#ifdef HEAD_OF_LINE
          channels[f].status = QUEUED;
          triggered!f
#else
          transmit(f)
#endif
       :: MAY_TIME_OUT && !MAY_RETRY ->
          channels[f].status = GIVEN_UP;
          channels[f].failures++;
          channels[f].tries = 0;
          release(f, false)
       :: !(MAY_TIME_OUT)
       fi;
       quiet = false
     }
  od
}

/* What becomes of slot s: lost, delivered, or delivered and still there. */
proctype network(byte s) {
  byte f, i, m, p;
  bool answer;
end:
  do
  :: atomic { wire[s].used && MAY_FAIL -> clear(s); FAULT }
  :: atomic {
       wire[s].used && wire[s].ack ->
       f = wire[s].flow;
       acknowledge(f, s);
       f = 0;
       clear(s)
     }
  :: atomic {
       wire[s].used && wire[s].ack && MAY_FAIL ->
       f = wire[s].flow;
       acknowledge(f, s);
       f = 0;
       FAULT
     }
  :: atomic {
       wire[s].used && !wire[s].ack ->
       arrive(s);
       if
       :: answer -> wire[s].ack = true
       :: else -> clear(s)
       fi;
       answer = false
     }
  :: atomic {
       wire[s].used && !wire[s].ack && MAY_FAIL ->
       arrive(s);
       if
       :: answer -> answer_beside(s)
       :: else
       fi;
       FAULT;
       answer = false
     }
  od
}

/* ---- Processes ----------------------------------------------------------------------------- */

/* Numbers in a row that may go unacknowledged: one more would be beyond the window. */
#ifdef NO_REFUSAL
#define REFUSED_AFTER 255
#else
#define REFUSED_AFTER (WINDOW - 1)
#endif

/* The owner of a page writes message m into flow f, and triggers it. */
inline enqueue(f) {
  if
  :: channels[f].failures >= REFUSED_AFTER -> channels[f].status = UNSENT
  :: else ->
     channels[f].number = (channels[f].number + 1) % NUMBERS;
     channels[f].message = m;
     channels[f].status = QUEUED;
#ifdef HEAD_OF_LINE
     triggered!f;
#endif
     channels[f].tries = 0;
     channels[f].chained = false;
     channels[f].waits = false;
#if CHANNELS > 1
     if
     :: true
     :: m > first ->
        channels[f].chained = true;
        channels[f].waits = UNDER_WAY(FLOW(page, m - 1));
#ifndef CHAIN_GOES_ON
        if
        :: !channels[f].waits && channels[FLOW(page, m - 1)].status != ACKNOWLEDGED ->
           channels[f].status = UNSENT; /* what it is chained to has failed before */
           channels[f].failures++
        :: else
        fi
#endif
     fi
#endif
  fi
}

/* The owner of a page sends its messages and waits until it knows the end of each. */
proctype program(byte page; byte first) {
  byte m, f;
  {
    m = first;
    do
    :: m <= MESSAGES ->
       f = FLOW(page, m);
#ifndef NO_WAIT_FOR_END
       !UNDER_WAY(f);
#endif
       atomic { enqueue(f); m++; newest[page] = m }
    :: else -> break
    od;
    f = page * CHANNELS;
    do
    :: f < (page + 1) * CHANNELS -> !UNDER_WAY(f); f++
    :: else -> break
    od;
    finished++
  } unless { first == 1 && dead[page] }
}

/* Empties the mailbox. */
active proctype reader() {
end:
  do
  :: atomic { held > 0 && !closed -> held-- }
  od
}

#ifdef DEATH_SENDER
/* The owner of page 0 dies; the system detaches the page, and another process attaches to it. */
active proctype death() {
  byte f;
end:
  atomic {
    finished < PAGES && newest[0] > 0 ->
    dead[0] = true;
    do
    :: f < CHANNELS -> channels[f].orphan = true; f++
    :: else -> break
    od;
    f = 0
  }
  atomic {
    true ->
    do
    :: f < CHANNELS ->
#ifndef NO_RELEASE_AT_DEATH
       if
       :: UNDER_WAY(f) -> channels[f].failures++
       :: else
       fi;
       channels[f].status = IDLE;
       channels[f].waits = false;
       channels[f].orphan = false;
#endif
#ifdef NEW_COUNTER
       channels[f].number = 0;
#endif
       f++
    :: else -> break
    od;
    f = 0;
    run program(0, newest[0])
  }
}
#endif

#ifdef DEATH_READER
active proctype death() {
  byte i;
end:
  atomic { true -> closed = true; held = 0 }
end_closed:
  atomic {
    true ->
    closed = false;
#ifdef NEW_LAST
    i = 0;
    do
    :: i < FLOWS -> last[i] = 0; i++
    :: else -> break
    od;
#endif
  }
}
#endif

#ifdef FAIR
ltl ends { <> (finished == PAGES) }
#endif

init {
  byte i;
  atomic {
    i = 0;
    do
    :: i < FLOWS -> channels[i].status = IDLE; run packetizer(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < SLOTS -> run network(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < PAGES -> run program(i, 1); i++
    :: else -> break
    od;
    i = 0
  }
}
