//! Rows of members, of their links and of their sessions.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::Role;
use crate::clock::Millis;
use crate::keys::KeyDigest;
use crate::passwords::PasswordHash;
use crate::state::rows::encoding::{Record, versions};

/// Seconds without use after which a session ends.
pub const IDLE_S: u64 = 12 * 3600;
/// Seconds after which a session ends in any case.
pub const ABSOLUTE_S: u64 = 30 * 24 * 3600;

/// A member, keyed by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its id.
    pub id: Uuid,
    /// The account.
    pub account: Uuid,
    /// The e-mail address, in the canonical form of [`crate::emails::Email`].
    pub email: String,
    /// The display name.
    pub name: String,
    /// The role.
    pub role: Role,
    /// Hash of the password; `None` until a link was used.
    pub password: Option<PasswordHash>,
    /// When it was invited.
    pub created: Millis,
    /// When it last logged in.
    pub last_login: Option<Millis>,
    /// Since when the member may not log in.
    pub disabled: Option<Millis>,
    /// Key of the row of the member's link; there is at most one.
    pub(in crate::state) link: Option<[u8; 16]>,
    /// The sessions, the oldest first: (id, key of the row).
    pub(in crate::state) sessions: Vec<(Uuid, [u8; 16])>,
    /// Whether the member is an admin of the service. Only the command line sets this.
    pub admin: bool,
}

/// Version 1 of [`Member`]. There were no admins.
#[derive(Deserialize)]
struct MemberV1 {
    id: Uuid,
    account: Uuid,
    email: String,
    name: String,
    role: Role,
    password: Option<PasswordHash>,
    created: Millis,
    last_login: Option<Millis>,
    disabled: Option<Millis>,
    link: Option<[u8; 16]>,
    sessions: Vec<(Uuid, [u8; 16])>,
}

impl From<MemberV1> for Member {
    fn from(row: MemberV1) -> Self {
        let MemberV1 { id, account, email, name, role, password, created, last_login, disabled, link, sessions } = row;
        let admin = false;
        Self { id, account, email, name, role, password, created, last_login, disabled, link, sessions, admin }
    }
}

versions! { Member as MemberRow: 1 => V1(MemberV1), 2 => V2(Member) }

impl Member {
    /// Returns the password hash if the member may log in.
    pub fn usable_password(&self) -> Option<PasswordHash> {
        self.password.filter(|_| self.disabled.is_none())
    }
}

/// The member who has an e-mail address, keyed by the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct MemberAt {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) member: Uuid,
}

impl Record for MemberAt {}

/// A link that sets a password, keyed by the first half of its token's SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct MemberLink {
    pub(in crate::state) at: MemberAt,
    pub(in crate::state) expires: Millis,
    pub(in crate::state) digest: KeyDigest,
}

impl Record for MemberLink {}

/// Number of members of an account, keyed by the account's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct MemberShelf {
    pub(in crate::state) members: u32,
    /// Owners that aren't disabled.
    pub(in crate::state) owners: u32,
}

impl Record for MemberShelf {}

/// A session, keyed by the first half of its token's SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id within the service. The token itself is not stored.
    pub id: Uuid,
    /// The member's account.
    pub account: Uuid,
    /// The member.
    pub member: Uuid,
    /// When it started.
    pub created: Millis,
    /// When it was last used, to the minute.
    pub seen: Millis,
    /// The user agent of the client that started it.
    pub agent: String,
    /// The full SHA-256 of its token.
    pub digest: KeyDigest,
}

impl Record for Session {}

impl Session {
    /// Returns when it ends at the latest if it isn't used again.
    pub fn expires(&self) -> Millis {
        self.created.plus_seconds(ABSOLUTE_S).min(self.seen.plus_seconds(IDLE_S))
    }
}
