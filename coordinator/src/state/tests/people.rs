//! Members, their links and their sessions; and their golden bytes.

use super::*;
use crate::accounts::Role;
use crate::emails::Email;
use crate::keys::KeyDigest;
use crate::passwords::PasswordHash;
use crate::state::rows::members::{MemberAt, MemberLink, MemberShelf};
use crate::state::rows::schema::{MEMBER_EMAILS, MEMBER_LINKS, MEMBER_SHELVES, MEMBERS, SESSIONS};
use crate::state::rows::{golden as check, golden_older as check_older};
use crate::tokens::Token;

const ID: Uuid = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);

#[test]
fn golden_bytes() {
    let id = "1001920000000070008000000000000001";
    let invited = Member {
        id: ID,
        account: ID,
        email: "a@b".into(),
        name: "A".into(),
        role: Role::Operator,
        password: None,
        created: Millis(5),
        last_login: None,
        disabled: None,
        link: Some([4; 16]),
        sessions: vec![],
        admin: false,
    };
    let four = "04".repeat(16);
    let body = format!("{id}{id}0361406201410100{}01{four}00", "0a0000");
    check(&invited, &format!("02{body}00"));
    // Version 1 had no admins.
    check_older(&invited, &format!("01{body}"));
    let password = PasswordHash { memory_kib: 19_456, passes: 2, lanes: 1, salt: [5; 16], hash: [6; 32] };
    let full = Member {
        role: Role::Holder,
        password: Some(password),
        last_login: Some(Millis(6)),
        disabled: Some(Millis(7)),
        link: None,
        sessions: vec![(ID, [7; 16])],
        admin: true,
        ..invited
    };
    let (salt, hash, row) = ("05".repeat(16), "06".repeat(32), "07".repeat(16));
    check(&full, &format!("02{id}{id}03614062014100{}{salt}{hash}0a010c010e0001{id}{row}01", "01fb004c0201"));
    let at = MemberAt { account: ID, member: ID };
    check(&at, &format!("01{id}{id}"));
    check(
        &MemberLink { at, expires: Millis(5), digest: KeyDigest([8; 32]) },
        &format!("01{id}{id}0a{}", "08".repeat(32)),
    );
    check(&MemberShelf { members: 3, owners: 2 }, "010302");
    let session = Session {
        id: ID,
        account: ID,
        member: ID,
        created: Millis(5),
        seen: Millis(6),
        agent: "curl".into(),
        digest: KeyDigest([9; 32]),
    };
    check(&session, &format!("01{id}{id}{id}0a0c046375726c{}", "09".repeat(32)));
}

/// A password's hash. The state never computes one itself.
fn hash(n: u8) -> PasswordHash {
    PasswordHash { memory_kib: 19_456, passes: 2, lanes: 1, salt: [n; 16], hash: [n; 32] }
}

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

impl Bench {
    fn invite(&self, address: &str, role: Role) -> Box<Invited> {
        match self.store.invite_member(self.account, &email(address), "N", role, T0).unwrap() {
            Invitation::Made(invited) => invited,
            other => panic!("{other:?}"),
        }
    }

    /// Creates a member with the password of [`hash`] 1.
    fn member(&self, address: &str, role: Role) -> Member {
        let invited = self.invite(address, role);
        match self.store.use_link(&invited.token, &hash(1), T0).unwrap() {
            LinkUsed::Done(member) => *member,
            other => panic!("{other:?}"),
        }
    }

    fn log_in(&self, member: &Member, now: Millis) -> (Session, Token) {
        match self.store.begin_session(member, "curl", now).unwrap() {
            LoggedIn::Begun(visitor, token) => (visitor.session, token),
            other => panic!("{other:?}"),
        }
    }

    fn is_in(&self, token: &Token, now: Millis) -> bool {
        self.store.visitor(token, now).unwrap().is_some()
    }

    fn people(&self) -> (usize, usize, usize, usize) {
        let t = &self.store.shared.tables;
        (
            t.scan(&MEMBERS, &[]).count(),
            t.scan(&MEMBER_EMAILS, &[]).count(),
            t.scan(&MEMBER_LINKS, &[]).count(),
            t.scan(&SESSIONS, &[]).count(),
        )
    }
}

#[test]
fn a_link_sets_a_password_once_and_for_a_week() {
    let b = bench(0);
    let invited = b.invite("Ann@Example.org", Role::Holder);
    assert_eq!((invited.member.email.as_str(), invited.member.usable_password()), ("ann@example.org", None));
    let end = T0.plus_seconds(LINK_S);
    assert_eq!(invited.expires, end);
    let use_at = |token: &Token, now| b.store.use_link(token, &hash(1), now).unwrap();
    assert_eq!(b.store.link_fault(&invited.token, end).unwrap(), Some(LinkUsed::Expired));
    assert_eq!(use_at(&invited.token, end), LinkUsed::Expired);
    assert_eq!(b.store.link_fault(&invited.token, Millis(end.0 - 1)).unwrap(), None);
    let LinkUsed::Done(member) = use_at(&invited.token, Millis(end.0 - 1)) else { panic!() };
    assert_eq!(member.usable_password(), Some(hash(1)));
    assert_eq!(use_at(&invited.token, T0), LinkUsed::Missing, "once");
    assert_eq!(b.store.link_fault(&invited.token, T0).unwrap(), Some(LinkUsed::Missing));

    let first = b.store.reset_link(b.account, member.id, T0).unwrap().unwrap();
    let second = b.store.reset_link(b.account, member.id, T0).unwrap().unwrap();
    assert_eq!(use_at(&first.token, T0), LinkUsed::Missing, "a new link voids the one before");
    assert!(matches!(use_at(&second.token, T0), LinkUsed::Done(_)));
    assert_eq!(b.people(), (1, 1, 0, 0));
    assert!(b.store.reset_link(b.account, Uuid::now_v7(), T0).unwrap().is_none());
}

#[test]
fn an_email_address_is_one_members() {
    let b = bench(0);
    b.invite("ann@example.org", Role::Holder);
    let other = b.store.create_account(&account(), 0).unwrap();
    for account in [b.account, other] {
        let again = b.store.invite_member(account, &email("ANN@example.org"), "N", Role::Operator, T0).unwrap();
        assert!(matches!(again, Invitation::EmailTaken), "{again:?}");
    }
    let nobodys = b.store.invite_member(Uuid::now_v7(), &email("b@example.org"), "N", Role::Holder, T0);
    assert_eq!(nobodys.map(|_| ()), Err(StateError::Missing("accounts")));
    assert_eq!(b.people(), (1, 1, 1, 0));
}

#[test]
fn an_account_has_so_many_members() {
    let b = bench(0);
    for n in 0..MEMBERS_MOST {
        b.invite(&format!("a{n}@example.org"), Role::Operator);
    }
    let next = |b: &Bench| b.store.invite_member(b.account, &email("z@example.org"), "N", Role::Holder, T0).unwrap();
    assert!(matches!(next(&b), Invitation::Full));
    let members = b.store.members(b.account).unwrap();
    assert_eq!(members.len(), MEMBERS_MOST as usize);
    assert_eq!(members[7].email, "a7@example.org", "in order");
    b.store.remove_member(b.account, members[0].id, false).unwrap();
    assert!(matches!(next(&b), Invitation::Made(_)));
}

#[test]
fn members_are_their_accounts_alone() {
    let b = bench(0);
    let ann = b.member("ann@example.org", Role::Holder);
    let other = b.store.create_account(&account(), 0).unwrap();
    assert_eq!(b.store.members(other).unwrap(), []);
    assert_eq!(b.store.member(other, ann.id).unwrap(), None);
    let change = MemberChange { disabled: Some(true), ..MemberChange::default() };
    assert_eq!(b.store.change_member(other, ann.id, &change, true, T0).unwrap(), MemberChanged::Missing);
    assert_eq!(b.store.remove_member(other, ann.id, true).unwrap(), MemberChanged::Missing);
    assert!(b.store.reset_link(other, ann.id, T0).unwrap().is_none());
    assert!(!b.store.set_password(other, ann.id, &hash(1), &hash(2)).unwrap());
    let (session, _) = b.log_in(&ann, T0);
    assert_eq!(b.store.sessions(other, ann.id, T0).unwrap(), []);
    assert!(!b.store.end_session(other, ann.id, session.id, T0).unwrap());
    assert_eq!(b.store.sessions(b.account, ann.id, T0).unwrap(), [session]);
    assert_eq!(b.store.member_by_email(&email("ANN@example.org")).unwrap().unwrap().id, ann.id);
}

#[test]
fn an_account_keeps_a_holder() {
    let b = bench(0);
    let (ann, ben) = (b.member("ann@example.org", Role::Holder), b.member("ben@example.org", Role::Operator));
    let change = |id, change: MemberChange, even| b.store.change_member(b.account, id, &change, even, T0).unwrap();
    let role = |role| MemberChange { role: Some(role), ..MemberChange::default() };
    let disabled = |disabled| MemberChange { disabled: Some(disabled), ..MemberChange::default() };
    let (session, token) = b.log_in(&ann, T0);
    assert_eq!(change(ann.id, role(Role::Operator), false), MemberChanged::LastOwner);
    assert_eq!(change(ann.id, disabled(true), false), MemberChanged::LastOwner);
    assert_eq!(b.store.remove_member(b.account, ann.id, false).unwrap(), MemberChanged::LastOwner);
    assert_eq!(b.store.member(b.account, ann.id).unwrap().unwrap().sessions.len(), 1, "nothing of it was done");
    assert!(b.is_in(&token, T0) && session.member == ann.id);

    assert!(matches!(change(ben.id, role(Role::Holder), false), MemberChanged::Done(_)));
    assert!(matches!(change(ann.id, disabled(true), false), MemberChanged::Done(_)));
    assert_eq!(change(ben.id, role(Role::Operator), false), MemberChanged::LastOwner, "who is disabled is none");
    assert!(matches!(change(ann.id, disabled(false), false), MemberChanged::Done(_)));
    assert!(matches!(b.store.remove_member(b.account, ben.id, false).unwrap(), MemberChanged::Done(_)));
    assert!(matches!(change(ann.id, role(Role::Operator), true), MemberChanged::Done(_)), "the service may");
    assert!(matches!(change(ann.id, role(Role::Holder), false), MemberChanged::Done(_)));
    assert!(matches!(b.store.remove_member(b.account, ann.id, true).unwrap(), MemberChanged::Done(_)));
    assert_eq!(b.people(), (0, 0, 0, 0));
    let shelf = b.store.shared.tables.get(&MEMBER_SHELVES, b.account.as_bytes()).unwrap().unwrap();
    assert_eq!(shelf, MemberShelf::default());
}

#[test]
fn a_session_is_over_when_it_rests_and_when_it_is_old() {
    let b = bench(0);
    let ann = b.member("ann@example.org", Role::Holder);
    let (_, rests) = b.log_in(&ann, T0);
    assert!(b.is_in(&rests, T0.plus_seconds(IDLE_S - 1)) && !b.is_in(&rests, T0.plus_seconds(IDLE_S)));

    let (_, busy) = b.log_in(&ann, T0);
    let mut now = T0;
    while now.plus_seconds(IDLE_S) < T0.plus_seconds(ABSOLUTE_S) {
        now = now.plus_seconds(IDLE_S - 1);
        let session = b.store.visitor(&busy, now).unwrap().expect("it is used").session;
        b.store.session_used(&session, now);
        // Alternate between in memory and on the disk.
        if now.0 % 2 == 0 {
            b.store.write_recent().unwrap();
        }
    }
    assert!(b.is_in(&busy, T0.plus_seconds(ABSOLUTE_S - 1)) && !b.is_in(&busy, T0.plus_seconds(ABSOLUTE_S)));
    assert_eq!(b.store.visitor(&busy, now).unwrap().unwrap().session.seen, now);

    assert_eq!(b.store.sessions(b.account, ann.id, now).unwrap().len(), 1, "those that are over are not told");
    assert_eq!(b.people().3, 2);
    b.store.forget(now).unwrap();
    assert_eq!(b.people().3, 1);
    b.store.forget(T0.plus_seconds(ABSOLUTE_S)).unwrap();
    assert_eq!(b.people().3, 0);
    assert_eq!(b.store.member(b.account, ann.id).unwrap().unwrap().sessions, []);
}

#[test]
fn sessions_end_one_by_one_and_with_what_they_rest_on() {
    let b = bench(0);
    let ann = b.member("ann@example.org", Role::Holder);
    b.member("eve@example.org", Role::Holder);
    let begin = || b.log_in(&ann, T0).1;
    let (one, other) = (b.log_in(&ann, T0), begin());
    assert!(b.store.end_session(b.account, ann.id, one.0.id, T0).unwrap());
    assert!(!b.store.end_session(b.account, ann.id, one.0.id, T0).unwrap());
    assert!(!b.is_in(&one.1, T0) && b.is_in(&other, T0));

    assert!(!b.store.set_password(b.account, ann.id, &hash(7), &hash(2)).unwrap(), "not from what it isn't");
    assert!(b.is_in(&other, T0));
    assert!(b.store.set_password(b.account, ann.id, &hash(1), &hash(2)).unwrap());
    assert!(!b.is_in(&other, T0), "the password changed");
    let late = b.store.begin_session(&ann, "curl", T0).unwrap();
    assert!(matches!(late, LoggedIn::Changed), "the one that was judged is no more: {late:?}");

    let now = b.store.member(b.account, ann.id).unwrap().unwrap();
    let (_, token) = b.log_in(&now, T0);
    let link = b.store.reset_link(b.account, ann.id, T0).unwrap().unwrap();
    assert!(b.is_in(&token, T0), "a link alone ends nothing");
    assert!(matches!(b.store.use_link(&link.token, &hash(3), T0).unwrap(), LinkUsed::Done(_)));
    assert!(!b.is_in(&token, T0));

    let now = b.store.member(b.account, ann.id).unwrap().unwrap();
    let (_, token) = b.log_in(&now, T0);
    let link = b.store.reset_link(b.account, ann.id, T0).unwrap().unwrap();
    let disabled = MemberChange { disabled: Some(true), ..MemberChange::default() };
    b.store.change_member(b.account, ann.id, &disabled, false, T0).unwrap();
    assert!(!b.is_in(&token, T0));
    assert_eq!(b.store.use_link(&link.token, &hash(4), T0).unwrap(), LinkUsed::Missing);
    assert!(b.store.reset_link(b.account, ann.id, T0).unwrap().is_none());
    assert!(matches!(b.store.begin_session(&now, "curl", T0).unwrap(), LoggedIn::Changed));
    let enabled = MemberChange { disabled: Some(false), ..MemberChange::default() };
    b.store.change_member(b.account, ann.id, &enabled, false, T0).unwrap();

    let (_, token) = b.log_in(&now, T0);
    b.store.remove_member(b.account, ann.id, false).unwrap();
    assert!(!b.is_in(&token, T0));
    assert!(matches!(b.store.begin_session(&now, "curl", T0).unwrap(), LoggedIn::Changed));
    assert_eq!(b.people(), (1, 1, 0, 0));
}

#[test]
fn a_further_session_ends_the_oldest_and_a_deactivated_account_begins_none() {
    let b = bench(0);
    let ann = b.member("ann@example.org", Role::Holder);
    let tokens: Vec<_> = (0..SESSIONS_MOST + 2).map(|_| b.log_in(&ann, T0).1).collect();
    let there: Vec<_> = tokens.iter().map(|token| b.is_in(token, T0)).collect();
    assert_eq!(there.iter().filter(|is_in| **is_in).count(), SESSIONS_MOST);
    assert!(!there[0] && !there[1] && there[2]);
    assert_eq!(b.people().3, SESSIONS_MOST);
    assert_eq!(b.store.member(b.account, ann.id).unwrap().unwrap().last_login, Some(T0));

    let change = AccountChange { active: Some(false), ..AccountChange::default() };
    b.store.change_account(b.account, &change, T0).unwrap();
    assert!(matches!(b.store.begin_session(&ann, "curl", T0).unwrap(), LoggedIn::Deactivated));
    assert!(!b.store.visitor(&tokens[5], T0).unwrap().unwrap().account.active);
}

#[test]
fn a_session_is_its_whole_digest() {
    let b = bench(0);
    let ann = b.member("ann@example.org", Role::Holder);
    let (session, token) = b.log_in(&ann, T0);
    let mut digest = session.digest;
    digest.0[31] ^= 1;
    let other = Session { digest, ..session };
    b.store.commit(|tx| tx.put(&SESSIONS, other.digest.row(), &other)).unwrap();
    assert!(!b.is_in(&token, T0));
}
