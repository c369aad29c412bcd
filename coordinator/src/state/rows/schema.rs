//! The tables of the state: the name of each tree and the type of its rows.

use std::marker::PhantomData;

use render_core::warning::Warning;

use crate::balance::Balance;
use crate::state::error::StateError;
use crate::state::rows::accounts::{Account, Meta};
use crate::state::rows::arrangement::Arrangement;
use crate::state::rows::assets::{Bundle, FaceShelf, Kit, KitShelf, Upload};
use crate::state::rows::encoding;
use crate::state::rows::generations::{EventLog, Generation};
use crate::state::rows::idempotency::{AnswerPart, Idempotency};
use crate::state::rows::jobs::{Closed, Lease, OpenJob, Posting, Repair};
use crate::state::rows::keys::{KeyAt, KeyDay, KeyRecord, KeyShelf};
use crate::state::rows::ledger::{Entry, EntryPlace, TokenDay};
use crate::state::rows::members::{Member, MemberAt, MemberLink, MemberShelf, Session};
use crate::state::rows::objects::{Probe, QueuedDeletion, ScrubProgress, Storage, Stored};
use crate::state::rows::outputs::{Digest, Edit, Output, OutputAt, PageWords, Version, Wording};
use crate::state::rows::webhooks::{Address, Delivery, Waiting, Webhook, WebhookShelf};

/// The only key of the table of the service's own metadata.
pub(in crate::state) const META_KEY: &[u8] = b"meta";

/// A table of `R` in the tree at `index` of [`TREES`].
pub(in crate::state) struct Table<R> {
    pub(in crate::state) index: usize,
    record: PhantomData<fn() -> R>,
}

impl<R> Table<R> {
    pub(in crate::state) const fn new(index: usize) -> Self {
        Self { index, record: PhantomData }
    }

    pub(in crate::state) const fn index(&self) -> usize {
        self.index
    }

    pub(in crate::state) fn name(&self) -> &'static str {
        TREES[self.index]
    }
}

/// Declares every table and the tree that stores it. Append new tables at the end.
macro_rules! tables {
    ($($table:ident: $record:ty = $tree:literal,)+) => {
        /// Names of the trees, in the order of the tables.
        pub(in crate::state) const TREES: &[&str] = &[$($tree),+];
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are those of the tables")]
        enum Place { $($table),+ }
        /// One function per table that checks whether a row decodes, in the current version or an older one.
        pub(in crate::state) const READERS: &[fn(&[u8]) -> Result<(), StateError>] =
            &[$(encoding::reads::<$record>),+];
        $(pub(in crate::state) const $table: Table<$record> = Table::new(Place::$table as usize);)+
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
    EVENT_LOGS: EventLog = "courses",
    DELETIONS: QueuedDeletion = "trash",
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
