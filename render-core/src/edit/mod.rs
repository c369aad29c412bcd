//! Edits: reads a prompt about a page, states it in plain English and applies it.
//!
//! ```text
//! prompt --read--> ops --apply--> Page --print--> refined instruction --parse--> the same ops
//! ```
//!
//! An [`Op`] is an end state ("the headline is 150 du high"), so applying it is idempotent. It changes the stored
//! design, never pixels. [`read()`] resolves relative wishes ("a bit bigger") against the current page. [`apply()`]
//! repairs what the ops would break (contrast, room) and reports the result of each op.

mod alternatives;
mod apply;
mod carry;
mod derive;
mod designs;
mod hue;
mod instruction;
mod marked;
mod op;
mod phrase;
mod proposal;
mod read;
mod reshape;
mod slides;
mod target;

pub use alternatives::{Alternative, alternatives, is_vague};
pub use apply::{Applied, ApplyError, Change, apply};
pub use carry::{Carried, PastEdits, carry};
pub use derive::{Reworded, reword, vary};
pub use designs::{Aspect, Design, designs};
pub use hue::Hue;
pub use instruction::{Instruction, MalformedInstruction, Reach};
pub use marked::Marking;
pub use op::{Ground, ItemWords, Op};
pub use proposal::{Edited, ExecuteError, Proposal, composing, execute, propose, propose_clauses};
pub use read::{Asked, Carousel, Deed, NamedPicture, SlideAt, Unread, UnreadReason, deed, pictures, read, suggestions};
pub use reshape::{Beside, Elements, Reshape};
pub use slides::{halves, page_text, restated};
pub use target::{Picture, Target};

/// The prefix of the address of an uploaded picture. The picture's id follows it.
pub const UPLOADED: &str = "upload:";

pub use crate::compose::Correction;
pub use crate::design::{LogoPlace, Part, Which};
