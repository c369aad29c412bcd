//! Sessions of members. A password starts a session, and half of its token's digest finds it. It ends after a time
//! without use, after 30 days, or at once if the member's password or status changes.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::accounts::Account;
use crate::state::rows::encoding::clip;
use crate::state::rows::keyspace::pair;
use crate::state::rows::members::{Member, Session};
use crate::state::rows::schema::{ACCOUNTS, MEMBERS, SESSIONS};
use crate::state::store::Store;
use crate::tokens::Token;

/// Maximum number of sessions per member. A further one ends the oldest.
pub const SESSIONS_MOST: usize = 20;
/// Maximum length in bytes of the stored user agent.
const AGENT_BYTES: usize = 200;

/// The member, account and session of a request.
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

/// Result of a login.
#[derive(Debug, Clone)]
pub enum LoggedIn {
    /// The new session and its token, which is available only here.
    Begun(Box<Visitor>, Token),
    /// The checked password is no longer the member's, or the member may no longer log in.
    Changed,
    /// The account is deactivated.
    Deactivated,
}

impl Store {
    /// Starts a session for a member whose password was verified.
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
            agent: clip(agent, AGENT_BYTES),
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

    /// Returns who a session belongs to, unless it has ended.
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
        // The member's row and its sessions are removed in one transaction, but both may go between these two reads.
        let Some(member) = member.filter(|member| member.disabled.is_none()) else { return Ok(None) };
        let account = tables.get(&ACCOUNTS, session.account.as_bytes())?.ok_or(StateError::Missing("accounts"))?;
        Ok(Some(Visitor { account_id: session.account, account, member, session }))
    }

    /// Returns a member's active sessions, the newest first.
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

    /// Ends one of a member's sessions. Returns whether it was active.
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

    /// Deletes sessions that have ended.
    pub(in crate::state) fn forget_sessions(&self, now: Millis) -> Result<(), StateError> {
        for row in self.shared.tables.scan(&SESSIONS, &[]) {
            let (_, session) = row?;
            if self.shared.recent.on_session(session.clone()).expires() <= now {
                self.end_session(session.account, session.member, session.id, now)?;
            }
        }
        Ok(())
    }
}

/// Ends all sessions of a member. The caller must store the member's row.
pub(in crate::state) fn end_all(tx: &Tx<'_>, member: &mut Member) -> Result<(), Abort> {
    for (_, row) in member.sessions.drain(..) {
        tx.remove(&SESSIONS, &row)?;
    }
    Ok(())
}

impl Member {
    pub(in crate::state) fn row(&self) -> Vec<u8> {
        pair(self.account, self.id)
    }

    pub(in crate::state) fn put(&self, tx: &Tx<'_>) -> Result<(), Abort> {
        tx.put(&MEMBERS, &self.row(), self)
    }
}
