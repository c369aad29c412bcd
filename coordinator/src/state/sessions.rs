//! Sessions of members: begun by a password, found by half of their token's digest, over after a time without use, after
//! 30 days, or at once where the member's password or standing changes.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::keyspace::pair;
use super::members::Member;
use super::records::Account;
use super::table::{Abort, Record, Tx};
use super::{ACCOUNTS, MEMBERS, SESSIONS, StateError, Store};
use crate::clock::Millis;
use crate::keys::KeyDigest;
use crate::tokens::Token;

/// Seconds without use after which a session is over.
pub const IDLE_S: u64 = 12 * 3600;
/// Seconds after which it is over, however it is used.
pub const ABSOLUTE_S: u64 = 30 * 24 * 3600;
/// Sessions of one member; a further one ends the oldest.
pub const SESSIONS_MOST: usize = 20;
/// Bytes kept of what the client says it is.
const AGENT_BYTES: usize = 200;

/// A session, by the first half of its token's SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its name within the service; the token itself is nowhere.
    pub id: Uuid,
    /// The account of its member.
    pub account: Uuid,
    /// Whose it is.
    pub member: Uuid,
    /// When it began.
    pub created: Millis,
    /// When it was last used, to the minute.
    pub seen: Millis,
    /// What the client that began it said it is.
    pub agent: String,
    /// The whole SHA-256 of its token.
    pub digest: KeyDigest,
}

impl Record for Session {}

impl Session {
    /// When it is over at the latest.
    pub fn expires(&self) -> Millis {
        self.created.plus_seconds(ABSOLUTE_S).min(self.seen.plus_seconds(IDLE_S))
    }
}

/// Whoever a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The account's id.
    pub account_id: Uuid,
    /// The account.
    pub account: Account,
    /// The member.
    pub member: Member,
    /// The session.
    pub session: Session,
}

/// What became of a login.
#[derive(Debug, Clone)]
pub enum LoggedIn {
    /// The session, and what opens it; the token is only in here.
    Begun(Box<Visitor>, Token),
    /// The password that was judged is the member's no more, or it may not log in any more.
    Changed,
    /// The account is deactivated.
    Deactivated,
}

impl Store {
    /// Begins a session of a member whose password was judged to be right.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn begin_session(&self, judged: &Member, agent: &str, now: Millis) -> Result<LoggedIn, StateError> {
        let token = Token::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
        let digest = token.digest();
        let mut row = [0; 16];
        row.copy_from_slice(digest.row());
        let session = Session {
            id: Uuid::now_v7(),
            account: judged.account,
            member: judged.id,
            created: now,
            seen: now,
            agent: super::clip(agent, AGENT_BYTES),
            digest,
        };
        self.commit(|tx: &Tx<'_>| -> Result<LoggedIn, Abort> {
            let there = tx.get(&MEMBERS, &pair(judged.account, judged.id))?;
            let same = |m: &Member| m.usable_password().is_some() && m.password == judged.password;
            let Some(mut member) = there.filter(same) else { return Ok(LoggedIn::Changed) };
            let account = tx.need(&ACCOUNTS, judged.account.as_bytes())?;
            if !account.active {
                return Ok(LoggedIn::Deactivated);
            }
            while member.sessions.len() >= SESSIONS_MOST {
                let (_, oldest) = member.sessions.remove(0);
                tx.remove(&SESSIONS, &oldest)?;
            }
            member.sessions.push((session.id, row));
            member.last_login = Some(now);
            member.put(tx)?;
            tx.put(&SESSIONS, &row, &session)?;
            let visitor = Visitor { account_id: judged.account, account, member, session: session.clone() };
            Ok(LoggedIn::Begun(Box::new(visitor), token.clone()))
        })
    }

    /// Whose session it is, where it is not over.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn visitor(&self, token: &Token, now: Millis) -> Result<Option<Visitor>, StateError> {
        let (tables, digest) = (&self.shared.tables, token.digest());
        // Digests compare in constant time.
        let session = tables.get(&SESSIONS, digest.row())?.filter(|session| session.digest == digest);
        let session = session.map(|session| self.shared.recent.on_session(session));
        let Some(session) = session.filter(|session| session.expires() > now) else { return Ok(None) };
        let member = tables.get(&MEMBERS, &pair(session.account, session.member))?;
        // Its row goes with its sessions', in one transaction; between two reads both may have gone.
        let Some(member) = member.filter(|member| member.disabled.is_none()) else { return Ok(None) };
        let account = tables.get(&ACCOUNTS, session.account.as_bytes())?.ok_or(StateError::Missing("accounts"))?;
        Ok(Some(Visitor { account_id: session.account, account, member, session }))
    }

    /// A member's sessions that are not over, newest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn sessions(&self, account: Uuid, member: Uuid, now: Millis) -> Result<Vec<Session>, StateError> {
        let tables = &self.shared.tables;
        let Some(member) = tables.get(&MEMBERS, &pair(account, member))? else { return Ok(Vec::new()) };
        let mut sessions = Vec::new();
        for (id, row) in member.sessions.iter().rev() {
            let session = tables.get(&SESSIONS, row)?.filter(|session| session.id == *id);
            let session = session.map(|session| self.shared.recent.on_session(session));
            sessions.extend(session.filter(|session| session.expires() > now));
        }
        self.settle()?;
        Ok(sessions)
    }

    /// Ends one of a member's sessions; says whether there was one that was not over.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn end_session(&self, account: Uuid, member: Uuid, id: Uuid, now: Millis) -> Result<bool, StateError> {
        let was_there = self.sessions(account, member, now)?.iter().any(|session| session.id == id);
        let ended = self.commit(|tx: &Tx<'_>| -> Result<bool, Abort> {
            let Some(mut member) = tx.get(&MEMBERS, &pair(account, member))? else { return Ok(false) };
            let Some(place) = member.sessions.iter().position(|(session, _)| *session == id) else { return Ok(false) };
            let (_, row) = member.sessions.remove(place);
            tx.remove(&SESSIONS, &row)?;
            member.put(tx)?;
            Ok(true)
        })?;
        Ok(was_there && ended)
    }

    /// Forgets sessions that are over.
    pub(super) fn forget_sessions(&self, now: Millis) -> Result<(), StateError> {
        for row in self.shared.tables.scan(&SESSIONS, &[]) {
            let (_, session) = row?;
            if self.shared.recent.on_session(session.clone()).expires() <= now {
                self.end_session(session.account, session.member, session.id, now)?;
            }
        }
        Ok(())
    }
}

/// Ends every session of a member, whose row is to be put by the caller.
pub(super) fn end_all(tx: &Tx<'_>, member: &mut Member) -> Result<(), Abort> {
    for (_, row) in member.sessions.drain(..) {
        tx.remove(&SESSIONS, &row)?;
    }
    Ok(())
}
