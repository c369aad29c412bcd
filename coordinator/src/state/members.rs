//! Members of accounts: people with an e-mail address, a role and a password. An address is one member's over the whole
//! service. Passwords are set by links, each good for one time.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::keyspace::pair;
use super::table::{Abort, Record, Tx};
use super::{
    ACCOUNTS, MEMBER_EMAILS, MEMBER_LINKS, MEMBER_SHELVES, MEMBERS, META, META_KEY, StateError, Store, sessions,
};
use crate::accounts::Role;
use crate::clock::Millis;
use crate::emails::Email;
use crate::keys::KeyDigest;
use crate::passwords::PasswordHash;
use crate::tokens::Token;

/// Members of an account.
pub const MEMBERS_MOST: u32 = 100;
/// Seconds that a link is valid.
pub const LINK_S: u64 = 7 * 24 * 3600;
/// Bytes of a member's name.
const NAME_BYTES: usize = 400;

/// A member, by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its id.
    pub id: Uuid,
    /// The account that it belongs to.
    pub account: Uuid,
    /// Its e-mail address, in the one spelling of [`Email`].
    pub email: String,
    /// What it is called.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// What is kept of its password; none until a link was used.
    pub password: Option<PasswordHash>,
    /// When it was invited.
    pub created: Millis,
    /// When it last logged in.
    pub last_login: Option<Millis>,
    /// Since when it may not log in.
    pub disabled: Option<Millis>,
    /// Where the row of its link is; there is one at most.
    pub(super) link: Option<[u8; 16]>,
    /// Its sessions, oldest first: (id, where the row is).
    pub(super) sessions: Vec<(Uuid, [u8; 16])>,
    /// Whether it runs the service: the operator alone says so.
    pub staff: bool,
}

/// Whose an e-mail address is, by the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MemberAt {
    pub(super) account: Uuid,
    pub(super) member: Uuid,
}

/// A link that sets a password, by the first half of its token's SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MemberLink {
    pub(super) at: MemberAt,
    pub(super) expires: Millis,
    pub(super) digest: KeyDigest,
}

/// How many members an account has, by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct MemberShelf {
    pub(super) members: u32,
    /// Holders that aren't disabled.
    pub(super) holders: u32,
}

impl Record for Member {
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        // Version 1 knew no staff.
        (from == 1).then(|| [body, &[0]].concat())
    }
}
impl Record for MemberAt {}
impl Record for MemberLink {}
impl Record for MemberShelf {}

/// A member with a link to set its password by. The service sends no mail: whoever asked for it hands the link on.
#[derive(Debug, Clone)]
pub struct Invited {
    /// The member.
    pub member: Member,
    /// What opens the link; only in here.
    pub token: Token,
    /// Until when it is valid.
    pub expires: Millis,
}

/// What became of an invitation.
#[derive(Debug, Clone)]
pub enum Invitation {
    /// The member is there.
    Made(Box<Invited>),
    /// The e-mail address is some member's already, of this account or another.
    EmailTaken,
    /// The account has [`MEMBERS_MOST`] members.
    Full,
}

/// What of a member is to be as it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberChange {
    /// What it is called.
    pub name: Option<String>,
    /// What it may do.
    pub role: Option<Role>,
    /// Whether it may not log in. It ends its sessions and voids its link.
    pub disabled: Option<bool>,
    /// Whether it runs the service.
    pub staff: Option<bool>,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberChanged {
    /// The member as it is now, or as it was last.
    Done(Box<Member>),
    /// The account has no such member.
    Missing,
    /// It would leave the account without a holder.
    LastHolder,
}

/// What became of a link that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkUsed {
    /// The password is set, and earlier sessions are over.
    Done(Box<Member>),
    /// There is no such link, or no more.
    Missing,
    /// Its time was over.
    Expired,
}

impl Member {
    /// The password that opens a session, where one does.
    pub fn usable_password(&self) -> Option<PasswordHash> {
        self.password.filter(|_| self.disabled.is_none())
    }

    fn counts_as_holder(&self) -> bool {
        self.role == Role::Holder && self.disabled.is_none()
    }

    fn row(&self) -> Vec<u8> {
        pair(self.account, self.id)
    }

    pub(super) fn put(&self, tx: &Tx<'_>) -> Result<(), Abort> {
        tx.put(&MEMBERS, &self.row(), self)
    }

    /// Makes a link in the place of an earlier one.
    fn put_link(&mut self, tx: &Tx<'_>, digest: KeyDigest, expires: Millis) -> Result<(), Abort> {
        self.void_link(tx)?;
        let mut row = [0; 16];
        row.copy_from_slice(digest.row());
        self.link = Some(row);
        let at = MemberAt { account: self.account, member: self.id };
        tx.put(&MEMBER_LINKS, &row, &MemberLink { at, expires, digest })
    }

    fn void_link(&mut self, tx: &Tx<'_>) -> Result<(), Abort> {
        match self.link.take() {
            Some(row) => tx.remove(&MEMBER_LINKS, &row),
            None => Ok(()),
        }
    }
}

impl Store {
    /// Makes a member, and a link to set its password by.
    ///
    /// # Errors
    /// [`StateError::Missing`] where there is no such account.
    pub fn invite_member(
        &self,
        account: Uuid,
        email: &Email,
        name: &str,
        role: Role,
        now: Millis,
    ) -> Result<Invitation, StateError> {
        let (token, expires) = fresh_link(now)?;
        let fresh = Member {
            id: Uuid::now_v7(),
            account,
            email: email.as_str().to_owned(),
            name: super::clip(name, NAME_BYTES),
            role,
            password: None,
            created: now,
            last_login: None,
            disabled: None,
            link: None,
            sessions: Vec::new(),
            staff: false,
        };
        self.commit(|tx: &Tx<'_>| -> Result<Invitation, Abort> {
            tx.need(&ACCOUNTS, account.as_bytes())?;
            let shelf = tx.get(&MEMBER_SHELVES, account.as_bytes())?.unwrap_or_default();
            if shelf.members >= MEMBERS_MOST {
                return Ok(Invitation::Full);
            }
            if tx.get(&MEMBER_EMAILS, email.as_str().as_bytes())?.is_some() {
                return Ok(Invitation::EmailTaken);
            }
            let mut member = fresh.clone();
            member.put_link(tx, token.digest(), expires)?;
            member.put(tx)?;
            tx.put(&MEMBER_EMAILS, email.as_str().as_bytes(), &MemberAt { account, member: member.id })?;
            let holders = shelf.holders + u32::from(member.counts_as_holder());
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { members: shelf.members + 1, holders })?;
            Ok(Invitation::Made(Box::new(Invited { member, token: token.clone(), expires })))
        })
    }

    /// The holder of the first account, who runs the service, with a link to set a password by; until the first key was
    /// shown, and none later. A start that was cut off before that makes the link anew.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn first_owner(&self, email: &Email, now: Millis) -> Result<Option<Invited>, StateError> {
        let meta = self.shared.tables.get(&META, META_KEY)?.ok_or(StateError::Missing(META.name()))?;
        let Some((account, false)) = meta.first_account else { return Ok(None) };
        if let Some(member) = self.member_by_email(email)? {
            return self.reset_link(account, member.id, now);
        }
        let Invitation::Made(invited) = self.invite_member(account, email, "Owner", Role::Holder, now)? else {
            return Ok(None);
        };
        let change = MemberChange { staff: Some(true), ..MemberChange::default() };
        self.change_member(account, invited.member.id, &change, false, now)?;
        Ok(Some(*invited))
    }

    /// An account's members, in the order in which they were invited.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn members(&self, account: Uuid) -> Result<Vec<Member>, StateError> {
        let rows = self.shared.tables.scan(&MEMBERS, account.as_bytes());
        let members = rows.map(|row| Ok(row?.1)).collect::<Result<_, StateError>>()?;
        self.settle()?;
        Ok(members)
    }

    /// One of the account's members; another account's is not there.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn member(&self, account: Uuid, id: Uuid) -> Result<Option<Member>, StateError> {
        let member = self.shared.tables.get(&MEMBERS, &pair(account, id))?;
        self.settle()?;
        Ok(member)
    }

    /// Whose e-mail address it is.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn member_by_email(&self, email: &Email) -> Result<Option<Member>, StateError> {
        match self.shared.tables.get(&MEMBER_EMAILS, email.as_str().as_bytes())? {
            Some(at) => self.member(at.account, at.member),
            None => Ok(None),
        }
    }

    /// Changes a member. The last holder of an account stays one, unless `even_the_last` says otherwise.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn change_member(
        &self,
        account: Uuid,
        id: Uuid,
        change: &MemberChange,
        even_the_last: bool,
        now: Millis,
    ) -> Result<MemberChanged, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<MemberChanged, Abort> {
            let Some(before) = tx.get(&MEMBERS, &pair(account, id))? else { return Ok(MemberChanged::Missing) };
            let mut member = before.clone();
            if let Some(name) = &change.name {
                member.name = super::clip(name, NAME_BYTES);
            }
            member.role = change.role.unwrap_or(member.role);
            member.staff = change.staff.unwrap_or(member.staff);
            match change.disabled {
                Some(true) => member.disabled = member.disabled.or(Some(now)),
                Some(false) => member.disabled = None,
                None => {}
            }
            let shelf = tx.need(&MEMBER_SHELVES, account.as_bytes())?;
            let others = shelf.holders.saturating_sub(u32::from(before.counts_as_holder()));
            let holders = others + u32::from(member.counts_as_holder());
            if before.counts_as_holder() && holders == 0 && !even_the_last {
                return Ok(MemberChanged::LastHolder);
            }
            if member.disabled.is_some() {
                member.void_link(tx)?;
                sessions::end_all(tx, &mut member)?;
            }
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { holders, ..shelf })?;
            member.put(tx)?;
            Ok(MemberChanged::Done(Box::new(member)))
        })
    }

    /// Removes a member, with its sessions and its link. The last holder of an account stays, unless `even_the_last` says
    /// otherwise.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn remove_member(&self, account: Uuid, id: Uuid, even_the_last: bool) -> Result<MemberChanged, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<MemberChanged, Abort> {
            let Some(mut member) = tx.get(&MEMBERS, &pair(account, id))? else { return Ok(MemberChanged::Missing) };
            let shelf = tx.need(&MEMBER_SHELVES, account.as_bytes())?;
            let holders = shelf.holders.saturating_sub(u32::from(member.counts_as_holder()));
            if member.counts_as_holder() && holders == 0 && !even_the_last {
                return Ok(MemberChanged::LastHolder);
            }
            let members = shelf.members.saturating_sub(1);
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { members, holders })?;
            member.void_link(tx)?;
            sessions::end_all(tx, &mut member)?;
            tx.remove(&MEMBER_EMAILS, member.email.as_bytes())?;
            tx.remove(&MEMBERS, &member.row())?;
            Ok(MemberChanged::Done(Box::new(member)))
        })
    }

    /// Makes a new link for a member, who forgot the password or let the first link expire; an earlier one is void. None
    /// where the account has no such member, or it is disabled.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn reset_link(&self, account: Uuid, id: Uuid, now: Millis) -> Result<Option<Invited>, StateError> {
        let (token, expires) = fresh_link(now)?;
        self.commit(|tx: &Tx<'_>| -> Result<Option<Invited>, Abort> {
            let there = tx.get(&MEMBERS, &pair(account, id))?.filter(|member| member.disabled.is_none());
            let Some(mut member) = there else { return Ok(None) };
            member.put_link(tx, token.digest(), expires)?;
            member.put(tx)?;
            Ok(Some(Invited { member, token: token.clone(), expires }))
        })
    }

    /// Whether a link can be used, before the work of hashing a password for it; `None` where it can.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn link_fault(&self, token: &Token, now: Millis) -> Result<Option<LinkUsed>, StateError> {
        let digest = token.digest();
        let link = self.shared.tables.get(&MEMBER_LINKS, digest.row())?.filter(|link| link.digest == digest);
        Ok(match link {
            None => Some(LinkUsed::Missing),
            Some(link) if link.expires <= now => Some(LinkUsed::Expired),
            Some(_) => None,
        })
    }

    /// Sets a password by a link, which is used up then. The member's sessions are over.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn use_link(&self, token: &Token, password: &PasswordHash, now: Millis) -> Result<LinkUsed, StateError> {
        let digest = token.digest();
        self.commit(|tx: &Tx<'_>| -> Result<LinkUsed, Abort> {
            let link = tx.get(&MEMBER_LINKS, digest.row())?.filter(|link| link.digest == digest);
            let Some(link) = link else { return Ok(LinkUsed::Missing) };
            if link.expires <= now {
                return Ok(LinkUsed::Expired);
            }
            let mut member = tx.need(&MEMBERS, &pair(link.at.account, link.at.member))?;
            member.void_link(tx)?;
            sessions::end_all(tx, &mut member)?;
            member.password = Some(*password);
            member.put(tx)?;
            Ok(LinkUsed::Done(Box::new(member)))
        })
    }

    /// Sets a password in the place of `former`. The member's sessions are over, and its link is void. Says whether
    /// `former` was still the member's, who was neither removed nor disabled.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn set_password(
        &self,
        account: Uuid,
        id: Uuid,
        former: &PasswordHash,
        password: &PasswordHash,
    ) -> Result<bool, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<bool, Abort> {
            let there = tx.get(&MEMBERS, &pair(account, id))?;
            let there = there.filter(|member| member.usable_password().as_ref() == Some(former));
            let Some(mut member) = there else { return Ok(false) };
            member.void_link(tx)?;
            sessions::end_all(tx, &mut member)?;
            member.password = Some(*password);
            member.put(tx)?;
            Ok(true)
        })
    }
}

fn fresh_link(now: Millis) -> Result<(Token, Millis), StateError> {
    let token = Token::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
    Ok((token, now.plus_seconds(LINK_S)))
}
