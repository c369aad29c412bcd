//! `/admin/accounts…`: accounts, their plans and their credits.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::accounts::Plan;
use crate::api::credits::{BalanceView, LedgerView};
use crate::app::App;
use crate::clock::Millis;
use crate::config::MOST_CREDITS;
use crate::http::error::{self, ApiError, Detail, Missing};
use crate::http::form::Form;
use crate::http::idempotency::Key;
use crate::http::json::Fields;
use crate::http::listing;
use crate::http::path::{Id, kind};
use crate::state::{Account, AccountChange, Gave, Gift, Store};

/// Maximum length in characters of an account's name, and of a note.
const NAME_CHARS: usize = 100;
const NOTE_CHARS: usize = 200;

/// An account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView {
    id: Uuid,
    name: String,
    plan: &'static str,
    active: bool,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    credits: Option<BalanceView>,
}

/// An account in a response.
#[derive(Debug, Serialize)]
struct Shown {
    account: AccountView,
}

/// A page of accounts.
#[derive(Debug, Serialize)]
struct Listed {
    accounts: Vec<AccountView>,
    pagination: listing::Pagination,
}

/// A balance after credits were added.
#[derive(Debug, Serialize)]
struct Credited {
    credits: BalanceView,
}

impl AccountView {
    fn of(id: Uuid, account: Account, credits: Option<BalanceView>) -> Self {
        let (plan, created_at) = (account.plan.name(), account.created.to_string());
        Self { id, name: account.name, plan, active: account.active, created_at, credits }
    }
}

/// Creates an account.
pub async fn create(State(app): State<Arc<App>>, Fields(body): Fields) -> Result<Response, ApiError> {
    let mut form = Form::new(&body);
    let name = form.line("name", NAME_CHARS).map(str::to_owned);
    if form.get("name").is_none() {
        form.fault("name", "missing_field", "Name the account in name.");
    }
    let plan = plan(&mut form).unwrap_or(Plan::Free);
    let credits = form.integer("credits", MOST_CREDITS).unwrap_or(0);
    let name = sound(form, &body, &["name", "plan", "credits"], name)?;
    let account = Account { name, plan, active: true, created: Millis::now() };
    let made = account.clone();
    let id = app.store.run(move |store| store.create_account(&made, credits)).await?;
    let shown = shown(&app, id, account).await?;
    Ok(error::created_at(&format!("/admin/accounts/{id}"), &shown))
}

/// Lists the accounts in order of creation.
pub async fn list(
    State(app): State<Arc<App>>,
    listing::Page { after, limit, .. }: listing::Page<Uuid>,
) -> Result<Json<impl Serialize>, ApiError> {
    let (accounts, more) = app.store.run(move |store| store.accounts(after, limit)).await?;
    let pagination = listing::Pagination::new(limit, more, accounts.last().map(|(id, _)| *id));
    let accounts = accounts.into_iter().map(|(id, account)| AccountView::of(id, account, None)).collect();
    Ok(Json(Listed { accounts, pagination }))
}

/// Returns an account with its credits.
pub async fn read(State(app): State<Arc<App>>, Found { id, account }: Found) -> Result<Json<impl Serialize>, ApiError> {
    Ok(Json(shown(&app, id, account).await?))
}

/// Changes an account's name or plan, or activates or deactivates it.
pub async fn change(
    State(app): State<Arc<App>>,
    Found { id, .. }: Found,
    Fields(body): Fields,
) -> Result<Json<impl Serialize>, ApiError> {
    let mut form = Form::new(&body);
    let name = form.line("name", NAME_CHARS).map(str::to_owned);
    let change = AccountChange { name, plan: plan(&mut form), active: form.boolean("active") };
    if change == AccountChange::default() {
        form.fault("name", "missing_field", "Send at least one of name, plan and active.");
    }
    let change = sound(form, &body, &["name", "plan", "active"], Some(change))?;
    let changed = app.store.run(move |store| store.change_account(id, &change, Millis::now())).await?;
    Ok(Json(shown(&app, id, changed.ok_or(ApiError::Missing(Missing::Account))?).await?))
}

/// Adds credits to an account: a top-up, or, with `expiresAt`, a pack.
pub async fn give(
    State(app): State<Arc<App>>,
    Found { id, account }: Found,
    Key(key): Key,
    Fields(body): Fields,
) -> Result<Response, ApiError> {
    let now = Millis::now();
    let mut form = Form::new(&body);
    let amount = form.integer("amount", MOST_CREDITS).filter(|n| *n > 0);
    if amount.is_none() {
        form.fault("amount", "invalid_value", format!("amount must be a whole number from 1 to {MOST_CREDITS}."));
    }
    let expires = form.string("expiresAt").map(Millis::parse);
    if expires.is_some_and(|t| t.is_none_or(|t| t <= now)) {
        let message = "expiresAt must be an RFC 3339 time in the future, such as 2027-01-31T00:00:00Z.";
        form.fault("expiresAt", "invalid_value", message);
    }
    let note = form.line("note", NOTE_CHARS).map(str::to_owned);
    let amount = sound(form, &body, &["amount", "expiresAt", "note"], amount)?;
    // The same idempotency key yields the same id, so a repeated request adds the credits once.
    let gift_id = key.map_or_else(Uuid::now_v7, |key| named(id, &key));
    let gift = Gift { id: gift_id, amount, expires: expires.flatten(), note };
    match app.store.run(move |store| store.give(id, &gift, now)).await? {
        Gave::Granted(balance) => {
            let read = move |store: &Store| BalanceView::of(&balance, store, id, account.plan, now);
            let credits = app.store.run(read).await?;
            Ok(error::created(&Credited { credits }))
        }
        Gave::NoAccount => Err(ApiError::Missing(Missing::Account)),
        Gave::TooManyPacks => Err(refused("the account has the maximum number of packs")),
        Gave::TooMuch => Err(refused("the balance would exceed the maximum")),
    }
}

/// Lists the entries of an account's ledger, newest first.
pub async fn ledger(
    State(app): State<Arc<App>>,
    Found { id, .. }: Found,
    listing::Page { after, limit, warnings }: listing::Page<u64>,
) -> Result<Json<LedgerView>, ApiError> {
    let (lines, more) = app.store.run(move |store| store.ledger(id, after, limit)).await?;
    Ok(Json(LedgerView::of(&lines, more, limit, warnings)))
}

/// The account that the path of a request names.
#[derive(Debug)]
pub struct Found {
    pub(super) id: Uuid,
    pub(super) account: Account,
}

impl FromRequestParts<Arc<App>> for Found {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Id(id, ..) = Id::<kind::Account>::from_request_parts(parts, app).await?;
        let account = app.store.run(move |store| store.account(id)).await?;
        Ok(Self { id, account: account.ok_or(ApiError::Missing(Missing::Account))? })
    }
}

/// Returns what was read from a body, or its faults. An unknown field is a fault here, not a warning: a typing error by
/// the operator must not go unnoticed.
pub(super) fn sound<T>(
    mut form: Form<'_>,
    body: &serde_json::Map<String, serde_json::Value>,
    known: &[&str],
    read: Option<T>,
) -> Result<T, ApiError> {
    for field in body.keys().filter(|field| !known.contains(&field.as_str())) {
        let shown: String = field.chars().take(60).collect();
        form.fault(shown, "unknown_field", format!("Use only {}.", known.join(", ")));
    }
    let (faults, _) = form.end();
    read.filter(|_| faults.is_empty()).ok_or(ApiError::Invalid(faults))
}

async fn shown(app: &App, id: Uuid, account: Account) -> Result<Shown, ApiError> {
    let plan = account.plan;
    let credits = app.store.run(move |store| BalanceView::read(store, id, plan, Millis::now())).await?;
    Ok(Shown { account: AccountView::of(id, account, Some(credits)) })
}

fn plan(form: &mut Form<'_>) -> Option<Plan> {
    form.one_of("plan", &Plan::ALL.map(Plan::name)).map(|n| Plan::ALL[n])
}

fn refused(why: &str) -> ApiError {
    ApiError::Invalid(vec![Detail::new("amount", "invalid_value", format!("No credits were added: {why}."))])
}

/// Derives the id of a credit grant from the account and the idempotency key (UUID version 8, RFC 9562).
fn named(account: Uuid, key: &str) -> Uuid {
    let digest = Sha256::new().chain_update(account).chain_update(key).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
