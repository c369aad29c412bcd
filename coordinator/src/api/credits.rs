//! `GET /api/credits/balance`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::caller::Authorised;
use super::error::ApiError;
use super::spec::names;
use crate::accounts::Scope;
use crate::credits::{self, Balance};
use crate::state::Account;

/// What an account has, in credits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Balance)]
pub struct BalanceAnswer {
    /// What can be spent now.
    #[schema(examples(9915))]
    pub balance: u64,
    /// What is held for outputs that are not finished.
    #[schema(examples(25))]
    pub reserved: u64,
    /// What is left of this month's grant.
    #[schema(examples(0))]
    pub monthly_balance: u64,
    /// What is left of top-ups.
    #[schema(examples(9915))]
    pub topup_balance: u64,
    /// What is left of packs.
    #[schema(examples(0))]
    pub pack_balance: u64,
    /// When the next pack expires.
    #[schema(required, format = DateTime, examples(json!(null)))]
    pub next_pack_expiry: Option<String>,
    /// What the account pays for.
    #[schema(value_type = names::Plan)]
    pub plan: &'static str,
    /// What things cost.
    pub costs: Costs,
}

/// What things cost, in credits.
#[derive(Debug, Serialize, ToSchema)]
pub struct Costs {
    /// An image that stands alone.
    #[schema(examples(10))]
    pub visual: u64,
    /// A slide of a carousel.
    #[schema(examples(15))]
    pub slide: u64,
    /// An executed edit.
    #[schema(examples(10))]
    pub edit: u64,
}

/// Read the balance
///
/// What the account can spend, what is held for images that are being made, and what things cost.
#[utoipa::path(
    get,
    path = "/api/credits/balance",
    operation_id = "readBalance",
    tag = "Credits",
    security(("apiKey" = ["credits:read"])),
    responses((status = 200, description = "The balance.", body = BalanceAnswer)),
)]
pub async fn balance(State(app): State<Arc<App>>, caller: Authorised) -> Result<Json<BalanceAnswer>, ApiError> {
    caller.need(Scope::CreditsRead)?;
    let account = caller.account_id;
    let balance = app
        .store
        .run(move |store| {
            let balance = store.balance(account)?;
            store.settle()?;
            Ok(balance)
        })
        .await?;
    Ok(Json(answer(balance, &caller.account)))
}

fn answer(balance: Balance, account: &Account) -> BalanceAnswer {
    BalanceAnswer {
        balance: balance.available,
        reserved: balance.reserved,
        monthly_balance: 0,
        topup_balance: balance.available,
        pack_balance: 0,
        next_pack_expiry: None,
        plan: account.plan.name(),
        costs: Costs { visual: credits::VISUAL, slide: credits::SLIDE, edit: credits::EDIT },
    }
}
