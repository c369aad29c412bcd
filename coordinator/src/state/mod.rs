//! The service's persistent state. Only this module uses sled.
//!
//! Every change is one transaction, whose record is in the commit journal and on the disk before anything depends on
//! it. Large content (inputs, documents, pages) is stored as blobs, and rows hold their hashes. The queue is not part
//! of the state: it is filled from the outbox and can be rebuilt from the state at any time.
//!
//! The methods block for a transaction and a flush. Async callers use [`Store::run`].

mod accounts;
mod answers;
mod arrangement;
mod at_work;
mod audit;
mod ballast;
mod brands;
mod bundles;
mod clerk;
mod commit;
mod copy;
mod course;
mod deliveries;
mod digests;
mod dirty;
mod edits;
mod export;
mod failures;
mod generations;
mod given;
mod import;
mod index;
mod jobs;
mod journal;
mod keys;
mod keyspace;
mod ledger;
mod letters;
mod lifecycle;
mod members;
mod named;
mod opening;
mod outage;
mod outbox;
mod page_words;
mod past_edits;
mod places;
mod probe;
mod proofs;
mod recent;
mod records;
mod recover;
mod repairs;
mod reports;
mod retention;
mod scrubs;
mod sessions;
mod spending;
mod statement;
mod status;
mod storage;
mod storage_check;
mod table;
mod tally;
mod token_days;
mod trash;
mod turns;
mod uploads;
mod versions;
mod watchers;
mod webhooks;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fleet::room::{NoRoom, Room};
use tokio::sync::Notify;
use uuid::Uuid;

pub use accounts::{AccountChange, By, Caller};
pub use answers::{Answer, AnswerBody, Full, Keyed, Once, Past};
pub use arrangement::{AddedSlide, ArrangeOrder, Arranged, ArrangedSlide, Arrangement};
pub use at_work::AtWork;
pub use brands::{LogoVariant, Shown};
pub use bundles::{Bundle, BundleKind};
pub use clerk::{Filing, Reply};
pub use course::Look;
pub use deliveries::{Agenda, Attempt, Delivery, Due, Errand, NotAgain, Owner, Progress, Reception, Sending};
pub use digests::Expected;
pub use edits::{Edit, EditEnd, EditOrder, NewPage, Uneditable};
pub use export::{Exported, PARTIAL};
pub use failures::Failed;
pub use generations::{Accepted, Filter, GenerationWarning, InputType, Order, OrderSizes, PlannedOutput, Snapshot};
pub use given::Given;
pub use import::{Imported, import};
pub(crate) use jobs::{STORE_FAULT, Setback};
pub use keys::{GRACE_S, KeyDay, KeyRecord, LIVE_KEYS, Replaced, USAGE_DAYS};
pub use ledger::{Gave, Gift, LedgerLine};
pub use letters::DeadLetter;
pub use lifecycle::Refusal;
pub use members::{Invitation, Invited, LINK_S, LinkUsed, MEMBERS_MOST, Member, MemberChange, MemberChanged};
pub use named::Named;
pub use past_edits::{OutputEdits, PastEdit};
pub use probe::Sizes;
pub use proofs::{Allowed, NewClaim};
pub use records::{
    Account, AccountFace, End, Entry, Fault, Generation, Image, ImageFormat, Kit, KitColors, KitContent, KitLogo,
    Output, PlannedFacts, Request, UNTOLD, Upload, UploadKind,
};
pub use recover::{Recovered, recover};
pub use repairs::{RepairTarget, Repairing};
pub use scrubs::{Pass, ScrubAt, ScrubProgress};
pub use sessions::{ABSOLUTE_S, IDLE_S, LoggedIn, SESSIONS_MOST, Session, Visitor};
pub use statement::StatementRow;
pub use status::Status;
pub use storage::{Growth, Storage, StorageFull, StoredFacts, StoredThing};
pub use storage_check::StorageCheck;
pub use tally::Tally;
pub use token_days::{Granted, TokensToday};
pub use trash::PREVIEWS;
pub use turns::{Outbox, Turn};
pub use uploads::NotKept;
pub use versions::{Back, History, PastVersion, Placed, VERSIONS_MOST, Version, Wording};
pub use watchers::Watch;
pub use webhooks::{AccountSecret, Address, Event, Events, PreviousSecret, WEBHOOKS_MAX, Webhook, WebhookChange};

use answers::AnswerPart;
use ballast::Ballast;
use clerk::Clerk;
use commit::Committer;
use course::Course;
use deliveries::Waiting;
use digests::Digest;
use index::Index;
use keys::{KeyAt, KeyShelf};
use members::{MemberAt, MemberLink, MemberShelf};
use opening::Opened;
use outage::Outage;
use page_words::PageWords;
use places::OutputAt;
use probe::Probe;
use recent::Recent;
use records::{Closed, EntryPlace, FaceShelf, Idempotency, KitShelf, Lease, Meta, OpenJob, Posting, Work};
use render_core::warning::Warning;
use repairs::Repair;
use storage::{StorageLimits, Stored};
use table::{Table, Tables};
use tally::Tallies;
use token_days::{TokenDay, TokenLimit};
use trash::Trash;
use turns::Turns;
use watchers::Watchers;
use webhooks::WebhookShelf;

use crate::accounts::MonthlyCredits;
use crate::balance::{Balance, Overdrawn};
use crate::clock::Millis;
use crate::meters;

/// Declares every table and the tree that stores it. Append new tables at the end.
macro_rules! tables {
    ($($table:ident: $record:ty = $tree:literal,)+) => {
        /// Names of the trees, in the order of the tables.
        const TREES: &[&str] = &[$($tree),+];
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are those of the tables")]
        enum Place { $($table),+ }
        /// One function per table that checks whether a row decodes, in the current version or an older one.
        const READERS: &[fn(&[u8]) -> Result<(), StateError>] = &[$(table::reads::<$record>),+];
        $(const $table: Table<$record> = Table::new(Place::$table as usize);)+
    };
}

tables! {
    META: Meta = "meta",
    ACCOUNTS: Account = "accounts",
    KEYS: KeyRecord = "keys",
    BALANCES: Balance = "balances",
    LEDGER: Entry = "ledger",
    GENERATIONS: Generation = "generations",
    OUTPUTS: Output = "outputs",
    WARNINGS: Warning = "warnings",
    JOBS: OpenJob = "jobs",
    LEASES: Lease = "leases",
    CLOSED: Closed = "closed",
    IDEMPOTENCY: Idempotency = "idempotency",
    OUTBOX: Posting = "outbox",
    UPLOADS: Upload = "uploads",
    KITS: Kit = "brands",
    KIT_SHELVES: KitShelf = "brand_shelves",
    FACE_SHELVES: FaceShelf = "face_shelves",
    LEDGER_ORDER: EntryPlace = "ledger_order",
    KEY_INDEX: KeyAt = "key_index",
    KEY_SHELVES: KeyShelf = "key_shelves",
    KEY_DAYS: KeyDay = "key_days",
    MEMBERS: Member = "members",
    MEMBER_SHELVES: MemberShelf = "member_shelves",
    MEMBER_EMAILS: MemberAt = "member_emails",
    MEMBER_LINKS: MemberLink = "member_links",
    SESSIONS: Session = "sessions",
    WEBHOOKS: Webhook = "webhooks",
    WEBHOOK_SHELVES: WebhookShelf = "webhook_shelves",
    WEBHOOK_URLS: Address = "webhook_urls",
    DELIVERIES: Delivery = "deliveries",
    DUE_DELIVERIES: Waiting = "due_deliveries",
    ANSWERS: AnswerPart = "answers",
    COURSES: Course = "courses",
    TRASH: Trash = "trash",
    PROBES: Probe = "probes",
    OUTPUT_PLACES: OutputAt = "output_places",
    EDITS: Edit = "edits",
    VERSIONS: Version = "versions",
    WORDINGS: Wording = "wordings",
    DIGESTS: Digest = "digests",
    REPAIRS: Repair = "repairs",
    SCRUBS: ScrubProgress = "scrubs",
    STORAGE: Storage = "storage",
    STORED: Stored = "stored",
    TOKEN_DAYS: TokenDay = "token_days",
    BUNDLES: Bundle = "bundles",
    ARRANGEMENTS: Arrangement = "arrangements",
    PAGE_WORDS: PageWords = "page_words",
}

/// The only key of the table of the service's own metadata.
const META_KEY: &[u8] = b"meta";
/// Free space to keep on the disk in bytes: room for what sled writes during compaction, and for deletions.
pub const RESERVE_BYTES: u64 = 64 << 20;

/// Why the state could not be read or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The disk or the database failed.
    #[error("storage: {0}")]
    Storage(String),
    /// The state differs from what was committed, and only an export can restore it.
    #[error("the state is damaged: {0}")]
    Damaged(String),
    /// A commit changes more rows than a journal record can hold.
    #[error("a commit of {0} rows exceeds the limit of the journal")]
    CommitTooLarge(usize),
    /// Another process has the state open.
    #[error("{0} is in use by another process")]
    InUse(String),
    /// A row that this version can't read.
    #[error("a stored row can't be read: {0}")]
    Unreadable(String),
    /// A row that must exist doesn't.
    #[error("a row of {0} is missing")]
    Missing(&'static str),
    /// A row exceeds its table's limit.
    #[error("a row of {0} bytes exceeds the limit of its table")]
    RowTooLarge(usize),
    /// A status change that the transition table doesn't allow.
    #[error("a generation that is {from:?} can't become {to:?}")]
    Transition {
        /// The current status.
        from: Status,
        /// The requested status.
        to: Status,
    },
    /// The disk is full.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// An import into this folder was interrupted.
    #[error("an import into {0} was interrupted; repeat it")]
    HalfDone(String),
    /// The folder already holds a state, but an import creates a new one.
    #[error("{0} is not empty, but an import creates a new state")]
    NotEmpty(String),
    /// The file can't be imported.
    #[error("this export can't be used: {0}")]
    NoCopy(String),
    /// The operation already runs, and only one may run at a time.
    #[error("{0} is already running")]
    Busy(&'static str),
    /// The account lacks the credits.
    #[error(transparent)]
    Overdrawn(#[from] Overdrawn),
    /// The account has the maximum number of valid keys.
    #[error("an account has at most {limit} valid keys", limit = keys::LIVE_KEYS)]
    TooManyKeys,
    /// The operating system provides no randomness.
    #[error("the system provides no randomness: {0}")]
    Randomness(String),
}

impl From<sled::Error> for StateError {
    fn from(e: sled::Error) -> Self {
        match e {
            sled::Error::Corruption { at, .. } => Self::Damaged(format!("the database can't be read at {at:?}")),
            e => Self::Storage(e.to_string()),
        }
    }
}

/// The state. Clones share it.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    tables: Arc<Tables>,
    committer: Committer,
    clerk: Clerk,
    /// Every generation, as list filters see it.
    index: Arc<Index>,
    meta: Meta,
    /// Notified when the outbox gained a row.
    enqueued: Notify,
    /// Notified when there may be deliveries to send.
    webhooks: Notify,
    /// Notified when the deletion queue gained due rows.
    thrown_away: Notify,
    /// Tasks that watch generations.
    watchers: Watchers,
    /// Accepted outputs that aren't finished.
    backlog: Arc<AtomicI64>,
    /// Credits that plans grant each month.
    monthly: MonthlyCredits,
    recent: Recent,
    tallies: Tallies,
    /// The fair scheduler of the outbox.
    turns: Arc<Turns>,
    outage: Outage,
    /// Limits on what accounts may store in the object store.
    storage: StorageLimits,
    /// Limits on accounts' use of the language model.
    tokens: TokenLimit,
}

impl Store {
    /// Opens the state in `folder`, and creates it if it is missing. Writes are refused while less than
    /// [`RESERVE_BYTES`] of the disk are free.
    ///
    /// # Errors
    /// [`StateError::InUse`], [`StateError::Storage`], [`StateError::Unreadable`], [`StateError::NoRoom`],
    /// [`StateError::HalfDone`].
    pub fn open(folder: &Path) -> Result<Self, StateError> {
        Self::open_with(folder, MonthlyCredits::default())
    }

    /// Like [`Self::open`], with credits that plans grant each month.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(folder: &Path, monthly: MonthlyCredits) -> Result<Self, StateError> {
        Self::open_in(folder, monthly, Room::of(folder, RESERVE_BYTES))
    }

    /// Like [`Self::open_with`], with a disk reserve.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_in(folder: &Path, monthly: MonthlyCredits, room: Room) -> Result<Self, StateError> {
        if import::mark(folder).exists() {
            return Err(StateError::HalfDone(folder.display().to_string()));
        }
        Self::open_whole(folder, monthly, room)
    }

    fn open_whole(folder: &Path, monthly: MonthlyCredits, room: Room) -> Result<Self, StateError> {
        let tables = Arc::new(Tables::new(Opened::open(folder)?));
        let (index, turns, backlog) = std::thread::scope(|scope| {
            let turns = scope.spawn(|| Turns::read(&tables));
            let backlog = scope.spawn(|| count_backlog(&tables));
            (Index::read(&tables), joined(turns), joined(backlog))
        });
        let (index, turns, backlog) = (Arc::new(index?), Arc::new(turns?), Arc::new(AtomicI64::new(backlog?)));
        let reopen = {
            let (tables, index, backlog) = (Arc::clone(&tables), Arc::clone(&index), Arc::clone(&backlog));
            let turns = Arc::clone(&turns);
            let folder = folder.to_owned();
            move || {
                let follow = || {
                    index.reread(&tables)?;
                    turns.reread(&tables)?;
                    backlog.store(count_backlog(&tables)?, Ordering::Relaxed);
                    Ok(())
                };
                tables.reopen(|| Opened::open(&folder), follow)
            }
        };
        let ballast = Ballast::of(folder);
        let work = commit::Work { tables: Arc::clone(&tables), room, ballast, reopen: Box::new(reopen) };
        let committer = Committer::start(work)?;
        let meta = match tables.get(&META, META_KEY)? {
            Some(meta) => meta,
            None => {
                let mut signing_secret = [0; 32];
                getrandom::fill(&mut signing_secret).map_err(|e| StateError::Randomness(e.to_string()))?;
                let meta = Meta { signing_secret, first_account: None };
                let write = |tx: &table::Tx<'_>| {
                    places::begin(tx)?;
                    storage_check::begin(tx)?;
                    tx.put(&META, META_KEY, &meta)
                };
                committer.commit(&tables, || tables.transact(write), |_| {})?;
                meta
            }
        };
        let shared = Shared {
            tables,
            committer,
            clerk: Clerk::start()?,
            index,
            meta,
            enqueued: Notify::new(),
            webhooks: Notify::new(),
            thrown_away: Notify::new(),
            watchers: Watchers::default(),
            backlog,
            monthly,
            recent: Recent::default(),
            tallies: Tallies::default(),
            turns,
            outage: Outage::default(),
            storage: StorageLimits::default(),
            tokens: TokenLimit::default(),
        };
        let store = Self { shared: Arc::new(shared) };
        store.index_keys()?;
        match store.index_outputs() {
            // The next start retries. Until then, requests that name the generation still find its outputs.
            Err(StateError::NoRoom(why)) => tracing::warn!(%why, "output index not built: the next start retries"),
            indexed => indexed?,
        }
        match store.count_storage() {
            // The next start counts everything again. Until then the totals cover only what is added and removed.
            Err(StateError::NoRoom(why)) => tracing::warn!(%why, "stored bytes not counted: the next start retries"),
            counted => counted?,
        }
        Ok(store)
    }

    /// Runs `work` on a thread where blocking is allowed. It completes even if the caller drops the future.
    ///
    /// # Errors
    /// Returns the errors of `work`.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, StateError> + Send + 'static,
    ) -> Result<T, StateError> {
        let (store, span) = (self.clone(), tracing::Span::current());
        tokio::task::spawn_blocking(move || span.in_scope(|| work(&store)))
            .await
            .unwrap_or_else(|e| Err(StateError::Storage(format!("a task of the state ended: {e}"))))
    }

    /// Returns the key that signs image URLs.
    pub fn signing_secret(&self) -> &[u8; 32] {
        &self.shared.meta.signing_secret
    }

    /// Returns the number of accepted outputs that aren't finished.
    pub fn backlog(&self) -> u64 {
        u64::try_from(self.shared.backlog.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Returns once everything visible is on the disk.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn settle(&self) -> Result<(), StateError> {
        self.shared.committer.settle()
    }

    /// Flushes the database up to the journal's end, before the process ends.
    ///
    /// # Errors
    /// [`StateError::Storage`].
    pub fn close(&self) -> Result<(), StateError> {
        self.shared.committer.checkpoint()
    }

    /// Checks that the state is writable.
    ///
    /// # Errors
    /// [`StateError::NoRoom`], [`StateError::Storage`].
    pub fn writable(&self) -> Result<(), StateError> {
        self.shared.committer.has_room()?;
        self.shared.tables.fault()
    }

    fn commit<T>(&self, transaction: impl Fn(&table::Tx<'_>) -> Result<T, table::Abort>) -> Result<T, StateError> {
        self.commit_and(transaction, |_| {})
    }

    /// Like [`Self::commit`], and runs `stands` to update in-memory counts after a successful transaction, even if its
    /// flush fails.
    fn commit_and<T>(
        &self,
        transaction: impl Fn(&table::Tx<'_>) -> Result<T, table::Abort>,
        stands: impl FnOnce(&T),
    ) -> Result<T, StateError> {
        let Shared { tables, committer, .. } = &*self.shared;
        committer.commit(tables, || self.visible(transaction), stands)
    }

    /// Like [`Self::commit`], for changes that may be lost in a crash: they are visible at once, and on the disk with
    /// the next flush.
    fn visible<T>(&self, transaction: impl Fn(&table::Tx<'_>) -> Result<T, table::Abort>) -> Result<T, StateError> {
        let Shared { tables, index, turns, .. } = &*self.shared;
        let (value, notes) = tables.transact(transaction)?;
        for (table, key) in &notes.touched {
            if *table == GENERATIONS.index() {
                index.follow(tables, key);
            } else if *table == OUTBOX.index() {
                turns.follow(tables, key);
            }
        }
        for (movement, amount) in notes.moved {
            meters::credits_moved(movement.name(), amount);
        }
        for (outcome, outputs) in notes.edited {
            meters::edited(outcome, outputs);
        }
        Ok(value)
    }

    /// Returns how many images finished and failed since the process started.
    pub fn tally(&self) -> Tally {
        self.shared.tallies.now()
    }

    /// Returns the images that each worker rendered in the last minute, by the worker's name.
    pub fn drawn_lately(&self, now: Millis) -> HashMap<String, u32> {
        self.shared.tallies.lately(now)
    }

    fn add_backlog(&self, outputs: i64) {
        let now = self.shared.backlog.fetch_add(outputs, Ordering::Relaxed) + outputs;
        meters::backlog(now);
    }
}

/// Returns the result of a thread, and propagates its panic.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Counts the unfinished outputs of generations with open jobs, and the outputs being edited.
fn count_backlog(tables: &Tables) -> Result<i64, StateError> {
    let mut open = std::collections::HashMap::<Uuid, i64>::new();
    for job in tables.scan(&JOBS, &[]) {
        let (_, job) = job?;
        // The job's generation may also be at work, with jobs of its own.
        if matches!(job.work, Work::Edit(_) | Work::Repair { .. }) {
            continue;
        }
        if let std::collections::hash_map::Entry::Vacant(slot) = open.entry(job.generation) {
            let generation = tables.get(&GENERATIONS, &keyspace::pair(job.account, job.generation))?;
            slot.insert(generation.map_or(0, |g| i64::from(g.total - g.done - g.failed)));
        }
    }
    let mut edits = 0;
    for edit in tables.scan(&EDITS, &[]) {
        edits += i64::from(edit?.1.fault.is_none());
    }
    Ok(open.values().sum::<i64>() + edits)
}

/// Truncates `text` to at most `bytes` at a character boundary, so that it fits into a row.
fn clip(text: &str, bytes: usize) -> String {
    text[..text.floor_char_boundary(bytes)].to_owned()
}

#[cfg(test)]
pub(crate) mod tests;
