//! Fetches tickets for all waiters in this process, and no more than they can take.
//!
//! A new waiter seeks first: the router asks for each of its classes in order, with requests that the server answers
//! immediately. If it finds nothing, a waiter either gives up or waits. While waiters wait, the router keeps as many
//! requests open per class as there are waiters for it. A ticket that arrives when nobody waits any more goes straight
//! back to the server, for another process.
//!
//! An open request can't be withdrawn, and the server may not notice that its client stopped listening: across accounts
//! it does not. So the router outlives its last waiter by the lifetime of open requests, and returns tickets that
//! arrive meanwhile.

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

use super::held::Held;
use super::names::{Names, consumer};
use crate::protocol::{Class, WireError, decode};

/// How long a request stays open at the server.
const OPEN: Duration = Duration::from_secs(1);
/// How long the answer to an immediate or an expired request may take to arrive.
const LATE: Duration = Duration::from_secs(1);
/// Pause after the server reports a missing consumer or too many requests.
const PAUSE: Duration = Duration::from_millis(250);
/// How long to skip a class that had no ticket. A process runs many loops, and each would ask in vain for every class
/// before that of its ticket. A waiter that finds nothing waits for all of its classes.
const EMPTY: Duration = Duration::from_millis(10);
/// Delay before the server delivers an undecodable ticket again, so that other workers can take it.
const FOR_OTHERS: Duration = Duration::from_secs(5);
/// Interval between checks for answers that never came.
const TICK: Duration = Duration::from_millis(250);

/// A task that waits for a ticket.
pub(super) struct Waiter {
    classes: Vec<Class>,
    /// Whether it waits if there is no ticket; otherwise it gives up.
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

/// A waiter whose immediate request is in flight.
struct Seeker {
    waiter: Option<Waiter>,
    /// Index of the class that was requested.
    stage: usize,
    since: Instant,
}

/// The requests for one class.
struct Lane {
    class: Class,
    /// Inbox for immediate answers. `open` is the inbox for answers that may take a while.
    quick: String,
    open: String,
    /// Waiters with an immediate request in flight, in the order of their requests.
    seekers: VecDeque<Seeker>,
    /// When each open request was sent, oldest first.
    pulled: VecDeque<Instant>,
    /// No requests are sent before this time.
    rest: Instant,
    /// The class counts as empty until this time.
    empty: Instant,
}

/// A message: the index of its lane, whether it answers a seeker, and the message itself.
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

    /// Fetches tickets until all senders are dropped and no request is open.
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
                    tracing::warn!(%error, "subscribing to the queue's answers failed: retrying");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Requests the next of the waiter's classes. After the last of them, the waiter waits.
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

    /// Keeps the waiters that are willing to wait, and drops the others.
    fn wait(&mut self, waiters: impl IntoIterator<Item = Waiter>) {
        self.waiting.extend(waiters.into_iter().filter(|waiter| waiter.stays));
    }

    fn place(&self, class: Class) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.class == class)
    }

    /// Requests one ticket. Sends nothing without a connection; [`Self::look`] then notices that no answer comes.
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
        // If the request is lost, no answer comes, and `look` notices that.
        if let Err(error) = self.context.client().publish_with_reply(subject, inbox.clone(), request).await {
            tracing::debug!(%error, "ticket request not sent: publish failed");
        }
    }

    /// Keeps as many requests open per class as waiters wait for it.
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
            tracing::debug!(%status, description = message.description, "ticket request refused by the queue");
            lane.rest = Instant::now() + PAUSE;
        }
        match seeker {
            Some(Seeker { waiter: Some(waiter), stage, .. }) => self.seek(waiter, stage + 1).await,
            _ => self.top_up().await,
        }
    }

    /// Gives a ticket to the waiter that requested it, else to the one that has waited longest, else back to the
    /// server.
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
                tracing::warn!(%error, "ticket returned: this worker can't decode it");
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
        // Dropping it returns it to the server.
        drop(held);
    }

    /// Returns the waiter that has waited longest for a ticket of this class, else one that is seeking.
    fn longest(&mut self, class: Class) -> Option<Waiter> {
        if let Some(at) = self.waiting.iter().position(|waiter| waiter.takes(class)) {
            return self.waiting.remove(at);
        }
        let seekers = self.lanes.iter_mut().flat_map(|lane| &mut lane.seekers);
        seekers.map(|seeker| &mut seeker.waiter).find(|w| w.as_ref().is_some_and(|w| w.takes(class)))?.take()
    }

    /// Gives up on answers that never came, for example after a lost connection.
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
