//! The service's persistent state. Only this module uses sled.
//!
//! Every change is one transaction, whose record is in the commit journal and on the disk before anything depends on
//! it. Large content (inputs, documents, pages) is stored as blobs, and rows hold their hashes. The queue is not part
//! of the state: it is filled from the outbox and can be rebuilt from the state at any time.
//!
//! The methods block for a transaction and a flush. Async callers use [`Store::run`].

mod assets;
mod billing;
mod copies;
mod database;
mod error;
mod generations;
mod idempotency;
mod jobs;
mod journal;
mod memory;
mod objects;
mod open;
mod people;
mod probe;
mod rows;
mod search;
mod status;
mod store;
mod webhooks;

pub use assets::brands::Shown;
pub use assets::uploads::NotKept;
pub use billing::ledger::{Gave, Gift, LedgerLine};
pub use billing::statement::StatementRow;
pub use billing::token_days::TokensToday;
pub use copies::export::{Exported, PARTIAL};
pub use copies::import::{Imported, import};
pub use copies::recover::{Recovered, recover};
pub use error::StateError;
pub use generations::event_log::Look;
pub use generations::failures::Failed;
pub use generations::past_edits::{OutputEdits, PastEdit};
pub use generations::snapshot::{GenerationWarning, Snapshot};
pub use idempotency::{Answer, AnswerBody, Full, Keyed, Once, Past};
pub use jobs::arrangement::{AddedSlide, ArrangeOrder, Arranged, ArrangedSlide};
pub use jobs::at_work::AtWork;
pub use jobs::claims::{Allowed, NewClaim};
pub use jobs::dead_letters::DeadLetter;
pub use jobs::edits::{EditEnd, EditOrder, NewPage, Uneditable};
pub use jobs::lifecycle::Refusal;
pub use jobs::orders::{Accepted, Order, OrderSizes, PlannedOutput};
pub use jobs::repairs::{RepairTarget, Repairing};
pub(crate) use jobs::retries::Setback;
pub use jobs::versions::{Back, History, PastVersion, Placed};
pub use memory::counters::Counts;
pub use memory::scheduler::{DueTicket, Outbox};
pub use memory::watchers::Watch;
pub use objects::deletion_queue::PREVIEWS;
pub use objects::digests::Expected;
pub use objects::gc_roots::GcRoots;
pub use objects::storage::{Growth, StorageFull, StoredFacts, StoredThing};
pub use objects::storage_check::StorageCheck;
pub use open::RESERVE_BYTES;
pub use people::accounts::{AccountChange, By, Caller};
pub use people::keys::{GRACE_S, LIVE_KEYS, USAGE_DAYS};
pub use people::members::{Invitation, Invited, LINK_S, LinkUsed, MEMBERS_MOST, MemberChange, MemberChanged};
pub use people::sessions::{LoggedIn, SESSIONS_MOST, Visitor};
pub use probe::Sizes;
pub use rows::accounts::Account;
pub use rows::arrangement::Arrangement;
pub use rows::assets::{
    AccountFace, Bundle, BundleKind, Kit, KitColors, KitContent, KitLogo, LogoVariant, Upload, UploadKind,
};
pub use rows::generations::{Fault, Generation, ImageFormat, PlannedFacts, Request, UNTOLD};
pub use rows::given::{Given, InputType};
pub use rows::keys::{KeyDay, KeyRecord, Replaced};
pub use rows::ledger::{Entry, Granted};
pub use rows::members::{ABSOLUTE_S, IDLE_S, Member, Session};
pub use rows::objects::{Pass, ScrubAt, ScrubProgress, Storage};
pub use rows::outputs::{Edit, End, Image, Output, VERSIONS_MOST, Version, Wording};
pub use rows::webhooks::{
    AccountSecret, Address, Attempt, Delivery, Event, Events, Owner, PreviousSecret, Progress, Webhook,
};
pub use search::filter::Filter;
pub use status::{BadTransition, Status};
pub use store::{BatchedWrite, Reply, Store};
pub use webhooks::deliveries::{DeliveryAction, Due, DueBatch, NotAgain, Reception, Sending};
pub use webhooks::subscriptions::{WEBHOOKS_MAX, WebhookChange};

#[cfg(test)]
pub(crate) mod tests;
