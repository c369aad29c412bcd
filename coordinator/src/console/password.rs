//! `/console/api/password`: sets a password by a one-time link, or changes it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;

use super::session;
use crate::access::{Active, check_origin};
use crate::app::App;
use crate::clock::Millis;
use crate::emails;
use crate::http::error::{self, ApiError, Detail, Missing};
use crate::http::form::Form;
use crate::http::json;
use crate::passwords::Password;
use crate::state::LinkUsed;
use crate::throttle::Client;
use crate::tokens::Token;

/// Sets a password by a link and starts a session. All earlier sessions of the member end.
pub async fn set_by_link(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    check_origin(&app, &headers, &uri)?;
    let fields = json::fields_of_stranger(&headers, body).await?;
    let mut form = Form::new(&fields);
    let (token, password) = (form.wanted("token"), chosen(&mut form, "password"));
    let (faults, _) = form.end();
    let (token, password) = token.zip(password).filter(|_| faults.is_empty()).ok_or(ApiError::Invalid(faults))?;
    let token = Token::parse(token).ok_or(ApiError::Missing(Missing::Link))?;
    // Check the link first, since hashing is expensive.
    let looked = token.clone();
    if let Some(fault) = app.store.run(move |store| store.link_fault(&looked, Millis::now())).await? {
        return done(&fault);
    }
    let hash = app.console.hasher.hash(password).await?.ok_or_else(|| guessable("password"))?;
    let used = app.store.run(move |store| store.use_link(&token, &hash, Millis::now())).await?;
    let mut answer = done(&used)?;
    if let LinkUsed::Done(member) = used
        && member.usable_password().is_some()
    {
        let begun = session::begin(&app, *member, &headers).await?;
        for cookie in begun.headers().get_all(header::SET_COOKIE) {
            answer.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
    }
    Ok(answer)
}

fn done(used: &LinkUsed) -> Result<Response, ApiError> {
    match used {
        LinkUsed::Done(_) => Ok(error::nothing_left()),
        LinkUsed::Missing => Err(ApiError::Missing(Missing::Link)),
        LinkUsed::Expired => Err(ApiError::LinkExpired),
    }
}

/// Changes the password of the logged-in member. All of its sessions end, and the response starts a new one.
pub async fn change(
    State(app): State<Arc<App>>,
    visitor: Active,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let fields = json::fields_of_stranger(&headers, body).await?;
    let mut form = Form::new(&fields);
    let (current, new) = (form.wanted("current"), chosen(&mut form, "new"));
    let (faults, _) = form.end();
    let (current, new) = current.zip(new).filter(|_| faults.is_empty()).ok_or(ApiError::Invalid(faults))?;
    // Attempts are throttled: a stolen session must not help to guess the member's password.
    let (counted, client) = (emails::counted_as(&visitor.member.email), Client::Session(visitor.session.id));
    if let Some(refused) = session::throttled(&app, counted, client).await {
        return Ok(refused);
    }
    let (former, hasher) = (visitor.member.password, &app.console.hasher);
    let right = match Password::given(current) {
        Some(current) => hasher.matches(current, former).await?,
        None => false,
    };
    let Some(former) = former.filter(|_| right) else { return Err(ApiError::CredentialsInvalid) };
    let hash = hasher.hash(new).await?.ok_or_else(|| guessable("new"))?;
    let (account, id) = (visitor.account_id, visitor.member.id);
    let set = app.store.run(move |store| {
        let set = store.set_password(account, id, &former, &hash)?;
        Ok(if set { store.member(account, id)? } else { None })
    });
    match set.await? {
        Some(member) => session::begin(&app, member, &headers).await,
        None => Err(ApiError::CredentialsInvalid),
    }
}

/// Reads a new password from a field, and reports a fault if it has the wrong length.
fn chosen(form: &mut Form<'_>, field: &'static str) -> Option<Password> {
    let chosen = Password::chosen(form.wanted(field)?);
    chosen.map_err(|error| form.fault(field, "invalid_value", error.to_string())).ok()
}

/// Returns the error of a new password in `field` that attackers try early.
fn guessable(field: &'static str) -> ApiError {
    let message = "This password is easy to guess. Choose another one.";
    ApiError::Invalid(vec![Detail::new(field, "password_common", message)])
}
