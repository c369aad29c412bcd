//! Operations on an account's members, used by holders in the console and by the service's operator.

use axum::Json;
use axum::response::Response;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Asked;
use crate::accounts::Role;
use crate::app::App;
use crate::clock::Millis;
use crate::emails::Email;
use crate::http::error::{self, ApiError, Conflict, Detail, Missing};
use crate::http::form::Form;
use crate::state::{Invitation, Invited, MEMBERS_MOST, Member, MemberChange, MemberChanged, Store};

/// Maximum length of a member's name in characters.
const NAME_CHARS: usize = 100;

/// A member.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberView {
    /// The id of the member.
    id: Uuid,
    /// The e-mail address, in normalized form.
    email: String,
    /// The name of the member.
    name: String,
    /// `holder` or `operator`.
    role: &'static str,
    /// Whether login is disabled.
    disabled: bool,
    /// Whether the member is staff, that is, operates the service.
    staff: bool,
    /// Whether the member has not set a password yet.
    invited: bool,
    /// When the member was invited (RFC 3339).
    created_at: String,
    /// When the member last logged in (RFC 3339).
    last_login_at: Option<String>,
}

/// An account's members.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MembersAnswer {
    /// The members, in order of invitation.
    members: Vec<MemberView>,
    /// The number of members.
    count: usize,
}

/// A member after a change.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberAnswer {
    /// The member.
    member: MemberView,
    /// Warnings about the request, such as unknown fields.
    warnings: Vec<Warning>,
}

/// A member, and a link to set a password.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct InvitedAnswer {
    /// The member.
    member: MemberView,
    /// The link. The service sends no mail: the inviter passes the link on.
    link: LinkView,
    /// Warnings about the request, such as unknown fields.
    warnings: Vec<Warning>,
}

/// A link to set a password.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkView {
    /// The token of the link. It works once and is returned only once.
    token: String,
    /// When the link expires (RFC 3339).
    expires_at: String,
}

/// Lists the account's members.
pub(crate) async fn list(app: &App, asked: &Asked) -> Result<Json<MembersAnswer>, ApiError> {
    let account = asked.account;
    let members = app.store.run(move |store| store.members(account)).await?;
    let members: Vec<_> = members.iter().map(view).collect();
    Ok(Json(MembersAnswer { count: members.len(), members }))
}

/// Invites a member. Returns 201 with a link.
pub(crate) async fn invite(app: &App, asked: &Asked, fields: &Map<String, Value>) -> Result<Response, ApiError> {
    let mut form = Form::new(fields);
    form.warn_of_unknown("", fields, &["email", "name", "role"]);
    let (email, name, role) = (form.email("email"), form.wanted("name"), form.role());
    let name = name.and_then(|_| form.line("name", NAME_CHARS));
    if role.is_none() && form.get("role").is_none() {
        form.fault("role", "missing_field", "Send role, either holder or operator.");
    }
    let (faults, warnings) = form.end();
    let (Some(email), Some(name), Some(role), true) = (email, name, role, faults.is_empty()) else {
        return Err(ApiError::Invalid(faults));
    };
    let (account, name) = (asked.account, name.to_owned());
    let invite = move |store: &Store| store.invite_member(account, &email, &name, role, Millis::now());
    match app.store.run(invite).await? {
        Invitation::Made(invited) => {
            tracing::info!(%account, member = %invited.member.id, by = asked.by, "a member was invited");
            Ok(with_link(&invited, warnings))
        }
        Invitation::EmailTaken => Err(ApiError::Conflict(Conflict::EmailTaken)),
        Invitation::Full => {
            let message = format!("The account has {MEMBERS_MOST} members, the maximum. Remove one first.");
            Err(ApiError::Invalid(vec![Detail::new("members", "too_many_members", message)]))
        }
    }
}

/// Changes a member's name, role, or whether it may log in. Omitted fields stay as they are.
pub(crate) async fn change(
    app: &App,
    asked: &Asked,
    id: Uuid,
    fields: &Map<String, Value>,
) -> Result<Json<MemberAnswer>, ApiError> {
    let account = asked.account;
    may(app, asked, id).await?;
    let mut form = Form::new(fields);
    let known: &[&str] =
        if asked.is_operator { &["name", "role", "disabled", "staff"] } else { &["name", "role", "disabled"] };
    form.warn_of_unknown("", fields, known);
    let name = form.get("name").and_then(|_| form.line("name", NAME_CHARS)).map(str::to_owned);
    let staff = if asked.is_operator { form.boolean("staff") } else { None };
    let change = MemberChange { name, role: form.role(), disabled: form.boolean("disabled"), admin: staff };
    let (faults, warnings) = form.end();
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    let change = move |store: &Store| store.change_member(account, id, &change, false, Millis::now());
    let member = changed(app.store.run(change).await?)?;
    tracing::info!(%account, member = %id, by = asked.by, "a member was changed");
    Ok(Json(MemberAnswer { member: view(&member), warnings }))
}

/// Removes a member and ends its sessions.
pub(crate) async fn remove(app: &App, asked: &Asked, id: Uuid) -> Result<Response, ApiError> {
    let account = asked.account;
    may(app, asked, id).await?;
    changed(app.store.run(move |store| store.remove_member(account, id, false)).await?)?;
    tracing::info!(%account, member = %id, by = asked.by, "a member was removed");
    Ok(error::nothing_left())
}

/// Creates a new link for a member. Returns 201; the previous link becomes invalid.
pub(crate) async fn link(app: &App, asked: &Asked, id: Uuid) -> Result<Response, ApiError> {
    let account = asked.account;
    may(app, asked, id).await?;
    let invited = app.store.run(move |store| store.reset_link(account, id, Millis::now())).await?;
    let invited = invited.ok_or(ApiError::Conflict(Conflict::MemberDisabled))?;
    tracing::info!(%account, member = %id, by = asked.by, "a member was given a link");
    Ok(with_link(&invited, Vec::new()))
}

/// Checks that the sender may change this member. Only the operator may change staff. Otherwise a holder of the same
/// account could take over a staff member.
async fn may(app: &App, asked: &Asked, id: Uuid) -> Result<(), ApiError> {
    let account = asked.account;
    let member =
        app.store.run(move |store| store.member(account, id)).await?.ok_or(ApiError::Missing(Missing::Member))?;
    if member.admin && !asked.is_operator { Err(ApiError::RoleRequired) } else { Ok(()) }
}

fn changed(change: MemberChanged) -> Result<Box<Member>, ApiError> {
    match change {
        MemberChanged::Done(member) => Ok(member),
        MemberChanged::Missing => Err(ApiError::Missing(Missing::Member)),
        MemberChanged::LastOwner => Err(ApiError::Conflict(Conflict::LastHolder)),
    }
}

fn with_link(invited: &Invited, warnings: Vec<Warning>) -> Response {
    let Invited { member, token, expires } = invited;
    let link = LinkView { token: token.reveal().to_owned(), expires_at: expires.to_string() };
    error::created(&InvitedAnswer { member: view(member), link, warnings })
}

/// Builds the JSON view of a member.
pub(crate) fn view(member: &Member) -> MemberView {
    MemberView {
        id: member.id,
        email: member.email.clone(),
        name: member.name.clone(),
        role: member.role.name(),
        disabled: member.disabled.is_some(),
        staff: member.admin,
        invited: member.password.is_none(),
        created_at: member.created.to_string(),
        last_login_at: member.last_login.map(|at| at.to_string()),
    }
}

impl Form<'_> {
    fn email(&mut self, field: &'static str) -> Option<Email> {
        let email = Email::parse(self.wanted(field)?);
        if email.is_none() {
            self.fault(field, "invalid_value", "This is not an e-mail address.");
        }
        email
    }

    fn role(&mut self) -> Option<Role> {
        self.one_of("role", &Role::ALL.map(Role::name)).map(|place| Role::ALL[place])
    }
}
