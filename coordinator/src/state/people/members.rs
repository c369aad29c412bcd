//! Members of accounts: people with an e-mail address, a role and a password. An address is unique across the service.
//! Members set their passwords through links, each of which works once.

use uuid::Uuid;

use crate::accounts::Role;
use crate::clock::Millis;
use crate::emails::Email;
use crate::keys::KeyDigest;
use crate::passwords::PasswordHash;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::people::sessions;
use crate::state::rows::encoding::clip;
use crate::state::rows::keyspace::pair;
use crate::state::rows::members::{Member, MemberAt, MemberLink, MemberShelf};
use crate::state::rows::schema::{ACCOUNTS, MEMBER_EMAILS, MEMBER_LINKS, MEMBER_SHELVES, MEMBERS, META, META_KEY};
use crate::state::store::Store;
use crate::tokens::Token;

/// Maximum number of members per account.
pub const MEMBERS_MOST: u32 = 100;
/// Seconds for which a link is valid.
pub const LINK_S: u64 = 7 * 24 * 3600;
/// Maximum length of a member's name in bytes.
const NAME_BYTES: usize = 400;

/// A member with a link to set a password. The service sends no mail: the caller passes the link on.
#[derive(Debug, Clone)]
pub struct Invited {
    /// The member.
    pub member: Member,
    /// The token of the link, which is available only here.
    pub token: Token,
    /// Until when the link is valid.
    pub expires: Millis,
}

/// Result of an invitation.
#[derive(Debug, Clone)]
pub enum Invitation {
    /// The member was created.
    Made(Box<Invited>),
    /// A member of this or another account has the e-mail address.
    EmailTaken,
    /// The account has [`MEMBERS_MOST`] members.
    Full,
}

/// Changes to a member; `None` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberChange {
    /// The display name.
    pub name: Option<String>,
    /// The role.
    pub role: Option<Role>,
    /// Whether the member may not log in. Disabling ends the member's sessions and voids the link.
    pub disabled: Option<bool>,
    /// Whether the member is an admin of the service.
    pub admin: Option<bool>,
}

/// Result of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberChanged {
    /// The member after the change, or before its removal.
    Done(Box<Member>),
    /// The account has no such member.
    Missing,
    /// The change would leave the account without an owner.
    LastOwner,
}

/// Result of using a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkUsed {
    /// The password is set, and all earlier sessions have ended.
    Done(Box<Member>),
    /// There is no such link, or it was used or voided.
    Missing,
    /// The link has expired.
    Expired,
}

impl Member {
    fn counts_as_owner(&self) -> bool {
        self.role == Role::Holder && self.disabled.is_none()
    }

    /// Creates a link that replaces an earlier one.
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
    /// Creates a member, and a link to set the password.
    ///
    /// # Errors
    /// [`StateError::Missing`] if there is no such account.
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
            name: clip(name, NAME_BYTES),
            role,
            password: None,
            created: now,
            last_login: None,
            disabled: None,
            link: None,
            sessions: Vec::new(),
            admin: false,
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
            let owners = shelf.owners + u32::from(member.counts_as_owner());
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { members: shelf.members + 1, owners })?;
            Ok(Invitation::Made(Box::new(Invited { member, token: token.clone(), expires })))
        })
    }

    /// Creates the owner of the first account, who is an admin of the service, with a link to set a password. Returns
    /// `None` once the first key was shown. If an earlier start was interrupted before that, creates a new link.
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
        let change = MemberChange { admin: Some(true), ..MemberChange::default() };
        self.change_member(account, invited.member.id, &change, false, now)?;
        Ok(Some(*invited))
    }

    /// Returns an account's members, in order of invitation.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn members(&self, account: Uuid) -> Result<Vec<Member>, StateError> {
        let rows = self.shared.tables.scan(&MEMBERS, account.as_bytes());
        let members = rows.map(|row| Ok(row?.1)).collect::<Result<_, StateError>>()?;
        self.settle()?;
        Ok(members)
    }

    /// Returns one of the account's members. Members of other accounts are not found.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn member(&self, account: Uuid, id: Uuid) -> Result<Option<Member>, StateError> {
        let member = self.shared.tables.get(&MEMBERS, &pair(account, id))?;
        self.settle()?;
        Ok(member)
    }

    /// Returns the member with this e-mail address.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn member_by_email(&self, email: &Email) -> Result<Option<Member>, StateError> {
        match self.shared.tables.get(&MEMBER_EMAILS, email.as_str().as_bytes())? {
            Some(at) => self.member(at.account, at.member),
            None => Ok(None),
        }
    }

    /// Changes a member. Refuses to remove the account's last owner unless `even_the_last` is set.
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
                member.name = clip(name, NAME_BYTES);
            }
            member.role = change.role.unwrap_or(member.role);
            member.admin = change.admin.unwrap_or(member.admin);
            match change.disabled {
                Some(true) => member.disabled = member.disabled.or(Some(now)),
                Some(false) => member.disabled = None,
                None => {}
            }
            let shelf = tx.need(&MEMBER_SHELVES, account.as_bytes())?;
            let others = shelf.owners.saturating_sub(u32::from(before.counts_as_owner()));
            let owners = others + u32::from(member.counts_as_owner());
            if before.counts_as_owner() && owners == 0 && !even_the_last {
                return Ok(MemberChanged::LastOwner);
            }
            if member.disabled.is_some() {
                member.void_link(tx)?;
                sessions::end_all(tx, &mut member)?;
            }
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { owners, ..shelf })?;
            member.put(tx)?;
            Ok(MemberChanged::Done(Box::new(member)))
        })
    }

    /// Removes a member, its sessions and its link. Refuses to remove the account's last owner unless `even_the_last`
    /// is set.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn remove_member(&self, account: Uuid, id: Uuid, even_the_last: bool) -> Result<MemberChanged, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<MemberChanged, Abort> {
            let Some(mut member) = tx.get(&MEMBERS, &pair(account, id))? else { return Ok(MemberChanged::Missing) };
            let shelf = tx.need(&MEMBER_SHELVES, account.as_bytes())?;
            let owners = shelf.owners.saturating_sub(u32::from(member.counts_as_owner()));
            if member.counts_as_owner() && owners == 0 && !even_the_last {
                return Ok(MemberChanged::LastOwner);
            }
            let members = shelf.members.saturating_sub(1);
            tx.put(&MEMBER_SHELVES, account.as_bytes(), &MemberShelf { members, owners })?;
            member.void_link(tx)?;
            sessions::end_all(tx, &mut member)?;
            tx.remove(&MEMBER_EMAILS, member.email.as_bytes())?;
            tx.remove(&MEMBERS, &member.row())?;
            Ok(MemberChanged::Done(Box::new(member)))
        })
    }

    /// Creates a new link for a member who forgot the password or let the first link expire. Voids an earlier link.
    /// Returns `None` if the account has no such member, or if the member is disabled.
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

    /// Checks whether a link can be used, before the expensive hashing of a password. Returns `None` if it can.
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

    /// Sets a password through a link, which works only once. Ends the member's sessions.
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

    /// Replaces the password `former`. Ends the member's sessions and voids the link. Returns `false` if `former` is no
    /// longer the password, or if the member was removed or disabled.
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
