//! Fetches tickets for everybody in this process who waits for one, and no more than they can take.
//!
//! A new waiter seeks first: the router asks for each of its classes in order, with requests that the server answers at
//! once. A waiter that finds nothing gives up, or waits: then the router keeps as many requests open for each class as there
//! are waiters for it. A ticket that arrives when nobody waits any more goes straight back, to another process.
//!
//! An open request can't be withdrawn, and the server may not notice that nobody listens any more: between accounts it does
//! not. So the router also outlives its last waiter by the time for which requests are open, and gives tickets back.

use std::collections::VecDeque;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::pull::BatchConfig;
use async_nats::jetstream::message::AckKind;
use async_nats::jetstream::{self, Context};
use async_nats::{Message, StatusCode, Subscriber};
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::SelectAll;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::{Held, Names, consumer};
use crate::protocol::{Class, WireError, decode};

/// How long a request stays open at the server.
const OPEN: Duration = Duration::from_secs(1);
/// How long the answer to a request that is answered at once, or to one whose time is over, may be on its way.
const LATE: Duration = Duration::from_secs(1);
/// After a server that has no such consumer, or too many requests.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a class that had no ticket is passed over: of many loops in a process, each would ask in vain at every class
/// before that of its ticket. Who waits in the end waits at all of them.
const EMPTY: Duration = Duration::from_millis(10);
/// How long a ticket that can't be read is left to others.
const FOR_OTHERS: Duration = Duration::from_secs(5);
/// Between looks for answers that never came.
const TICK: Duration = Duration::from_millis(250);

/// Somebody who waits for a ticket.
pub(super) struct Waiter {
    classes: Vec<Class>,
    /// Who finds nothing waits; else it is let go.
    stays: bool,
    reply: oneshot::Sender<Held>,
}

impl Waiter {
    pub(super) fn new(classes: &[Class], stays: bool, reply: oneshot::Sender<Held>) -> Self {
        Self { classes: classes.to_vec(), stays, reply }
    }

    fn takes(&self, class: Class) -> bool {
        !self.reply.is_closed() && self.classes.contains(&class)
    }
}

/// Somebody who seeks, and was not given anything else yet.
struct Seeker {
    waiter: Option<Waiter>,
    /// Which of its classes is asked.
    stage: usize,
    since: Instant,
}

/// The requests at one class.
struct Lane {
    class: Class,
    /// Where answers that are given at once arrive, and those that may take a while.
    quick: String,
    open: String,
    /// Those whose request is to be answered at once, in the order in which they asked.
    seekers: VecDeque<Seeker>,
    /// When the requests that stand open were made, the oldest first.
    pulled: VecDeque<Instant>,
    /// Until when nothing is asked.
    rest: Instant,
    /// Until when it is taken to be empty, as it was when it was last asked.
    empty: Instant,
}

/// Where a message arrived: the place of the lane, and whether it answers a seeker.
type Arrived = (usize, bool, Message);

pub(super) struct Router {
    context: Context,
    names: Names,
    asked: mpsc::UnboundedReceiver<Waiter>,
    lanes: Vec<Lane>,
    waiting: VecDeque<Waiter>,
}

impl Router {
    pub(super) fn new(context: Context, names: Names, asked: mpsc::UnboundedReceiver<Waiter>) -> Self {
        let now = Instant::now();
        let lane = |class| Lane {
            class,
            quick: context.client().new_inbox(),
            open: context.client().new_inbox(),
            seekers: VecDeque::new(),
            pulled: VecDeque::new(),
            rest: now,
            empty: now,
        };
        let lanes = Class::ALL.into_iter().map(lane).collect();
        Self { context, names, asked, lanes, waiting: VecDeque::new() }
    }

    /// Fetches until all senders are dropped and no request is open.
    pub(super) async fn run(mut self) {
        let mut arriving = SelectAll::new();
        for (place, lane) in self.lanes.iter().enumerate() {
            for (inbox, quick) in [(&lane.quick, true), (&lane.open, false)] {
                let subscriber = self.subscribe(inbox).await;
                arriving.push(subscriber.map(move |message| -> Arrived { (place, quick, message) }).boxed());
            }
        }
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_closed = false;
        while !is_closed || self.has_open_requests() {
            tokio::select! {
                waiter = self.asked.recv(), if !is_closed => match waiter {
                    Some(waiter) => self.seek(waiter, 0).await,
                    None => is_closed = true,
                },
                Some(arrived) = arriving.next() => self.arrived(arrived).await,
                _ = tick.tick() => self.look().await,
            }
        }
    }

    fn has_open_requests(&self) -> bool {
        self.lanes.iter().any(|lane| !lane.pulled.is_empty() || !lane.seekers.is_empty())
    }

    async fn subscribe(&self, inbox: &str) -> Subscriber {
        loop {
            match self.context.client().subscribe(inbox.to_owned()).await {
                Ok(subscriber) => return subscriber,
                Err(error) => {
                    tracing::warn!(%error, "answers of the queue can't be listened for");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Asks at the next of the waiter's classes; after the last of them it waits.
    async fn seek(&mut self, waiter: Waiter, stage: usize) {
        let now = Instant::now();
        let left = waiter.classes.iter().enumerate().skip(stage);
        let mut asked = left.filter_map(|(stage, class)| Some((stage, self.place(*class)?)));
        let Some((stage, place)) = asked.find(|(_, place)| self.lanes[*place].empty <= now) else {
            self.wait([waiter]);
            return self.top_up().await;
        };
        if self.lanes[place].rest > now {
            return self.wait([waiter]);
        }
        self.lanes[place].seekers.push_back(Seeker { waiter: Some(waiter), stage, since: now });
        self.pull(place, true).await;
    }

    /// Has those wait that stay.
    fn wait(&mut self, waiters: impl IntoIterator<Item = Waiter>) {
        self.waiting.extend(waiters.into_iter().filter(|waiter| waiter.stays));
    }

    fn place(&self, class: Class) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.class == class)
    }

    /// Asks the server for one ticket. Without a connection nothing is asked: no answer comes, and that is noticed.
    async fn pull(&self, place: usize, quick: bool) {
        if self.context.client().connection_state() != State::Connected {
            return;
        }
        let lane = &self.lanes[place];
        let expires = (!quick).then_some(OPEN);
        let batch = BatchConfig { batch: 1, expires, no_wait: quick, ..BatchConfig::default() };
        let request: Bytes = serde_json::to_vec(&batch).expect("numbers are JSON").into();
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{}", self.names.stream(), consumer(lane.class));
        let inbox = if quick { &lane.quick } else { &lane.open };
        // Where it doesn't arrive, no answer does, and that is noticed.
        if let Err(error) = self.context.client().publish_with_reply(subject, inbox.clone(), request).await {
            tracing::debug!(%error, "a request for a ticket can't be sent");
        }
    }

    /// Has as many requests open at each class as somebody waits for it.
    async fn top_up(&mut self) {
        let now = Instant::now();
        self.waiting.retain(|waiter| !waiter.reply.is_closed());
        for place in 0..self.lanes.len() {
            let lane = &self.lanes[place];
            if lane.rest > now {
                continue;
            }
            let wanted = self.waiting.iter().filter(|waiter| waiter.takes(lane.class)).count();
            for _ in lane.pulled.len()..wanted {
                self.pull(place, false).await;
                self.lanes[place].pulled.push_back(now);
            }
        }
    }

    async fn arrived(&mut self, (place, quick, message): Arrived) {
        let lane = &mut self.lanes[place];
        let seeker = if quick { lane.seekers.pop_front() } else { None };
        if !quick {
            lane.pulled.pop_front();
        }
        let Some(status) = message.status.filter(|_| message.reply.is_none()) else {
            let first = seeker.and_then(|seeker| seeker.waiter);
            return self.hand_out(place, first, message).await;
        };
        if quick && status == StatusCode::NOT_FOUND {
            lane.empty = Instant::now() + EMPTY;
        }
        if !matches!(status, StatusCode::NOT_FOUND | StatusCode::TIMEOUT) {
            tracing::debug!(%status, description = message.description, "the queue has no tickets to give");
            lane.rest = Instant::now() + PAUSE;
        }
        match seeker {
            Some(Seeker { waiter: Some(waiter), stage, .. }) => self.seek(waiter, stage + 1).await,
            _ => self.top_up().await,
        }
    }

    /// Gives a ticket to whoever asked for it, or else to the one who has waited longest, or else back.
    async fn hand_out(&mut self, place: usize, first: Option<Waiter>, message: Message) {
        let message = jetstream::Message { message, context: self.context.clone() };
        let ticket = match decode(&message.payload) {
            Ok(ticket) => ticket,
            Err(error) => {
                // A ticket of another version is for workers of that version.
                let kind = match error {
                    WireError::Version(_) => AckKind::Nak(Some(FOR_OTHERS)),
                    _ => AckKind::Term,
                };
                tracing::warn!(%error, "what is on the queue is no ticket for this worker");
                let _ = message.ack_with(kind).await;
                return match first {
                    Some(waiter) if waiter.stays => {
                        self.waiting.push_front(waiter);
                        self.top_up().await;
                    }
                    _ => self.top_up().await,
                };
            }
        };
        let class = self.lanes[place].class;
        let mut held = Held::new(ticket, message);
        let mut next = first;
        loop {
            let Some(waiter) = next.take().or_else(|| self.longest(class)) else { break };
            match waiter.reply.send(held) {
                Ok(()) => return,
                Err(back) => held = back,
            }
        }
        // Dropped, it goes back.
        drop(held);
    }

    /// Who has waited longest for a ticket of this class, or else seeks.
    fn longest(&mut self, class: Class) -> Option<Waiter> {
        if let Some(at) = self.waiting.iter().position(|waiter| waiter.takes(class)) {
            return self.waiting.remove(at);
        }
        let seekers = self.lanes.iter_mut().flat_map(|lane| &mut lane.seekers);
        seekers.map(|seeker| &mut seeker.waiter).find(|w| w.as_ref().is_some_and(|w| w.takes(class)))?.take()
    }

    /// Gives up answers that never came, as after a lost connection.
    async fn look(&mut self) {
        let now = Instant::now();
        for place in 0..self.lanes.len() {
            let lane = &mut self.lanes[place];
            while lane.pulled.front().is_some_and(|made| now > *made + OPEN + LATE) {
                lane.pulled.pop_front();
            }
            while self.lanes[place].seekers.front().is_some_and(|seeker| now > seeker.since + LATE) {
                let seeker = self.lanes[place].seekers.pop_front();
                self.wait(seeker.and_then(|seeker| seeker.waiter));
            }
        }
        self.top_up().await;
    }
}
