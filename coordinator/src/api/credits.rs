//! `GET /api/credits/balance`, `GET /api/credits/ledger`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use super::spec::params::PageQuery;
use super::storage::StorageView;
use crate::access::{Scoped, scope};
use crate::accounts::Plan;
use crate::app::App;
use crate::balance::{Balance, Share, Source};
use crate::clock::Millis;
use crate::credits;
use crate::http::error::ApiError;
use crate::http::{listing, names};
use crate::state::{LedgerLine, StateError, Store};

/// What an account has: credits, storage and tokens.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Balance, examples(json!(examples::balance())))]
pub struct BalanceView {
    /// What can be spent now.
    balance: u64,
    /// What is held for outputs that are not finished.
    reserved: u64,
    /// Of `balance`: what is left of the month's credits. They are spent first and end with the month.
    monthly_balance: u64,
    /// Of `balance`: what doesn't end. It is spent last.
    topup_balance: u64,
    /// Of `balance`: what is left in packs. The one that ends first is spent first.
    pack_balance: u64,
    /// When the next pack ends.
    #[schema(required, format = DateTime)]
    next_pack_expiry: Option<String>,
    /// The account's plan.
    #[schema(value_type = names::Plan)]
    plan: &'static str,
    /// What things cost.
    costs: CostsView,
    /// What the account keeps.
    storage: StorageView,
    /// Tokens of the language model today.
    language_model: TokensView,
}

/// Tokens of the language model that the account uses in a day of UTC.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TokenUse)]
pub struct TokensView {
    /// Tokens used today, prompts and answers together, those included that are set aside for work under way.
    tokens_today: u64,
    /// Tokens that there are a day; `null` where there is no limit.
    #[schema(required)]
    daily_tokens: Option<u64>,
}

/// What things cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Costs)]
pub struct CostsView {
    /// A visual.
    visual: u64,
    /// A carousel slide.
    slide: u64,
    /// An executed edit.
    edit: u64,
}

/// A page of the ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ledger)]
pub struct LedgerView {
    /// Its entries, the newest first.
    entries: Vec<EntryView>,
    /// Where it stands.
    pagination: listing::Pagination,
    /// What the client should know of the query.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A movement of credits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LedgerEntry, examples(json!(examples::ledger_entry())))]
pub struct EntryView {
    /// Counts the account's entries, from 1.
    number: u64,
    /// `grant`, `hold`, `capture`, `release` or `expiry`.
    r#type: &'static str,
    /// How many credits it moves.
    amount: u64,
    /// What could be spent afterwards.
    balance: u64,
    /// What was held afterwards.
    reserved: u64,
    /// Where the credits came from or went to.
    sources: Vec<SourceView>,
    /// The generation that it is for.
    #[schema(required)]
    generation_id: Option<Uuid>,
    /// The generation's output.
    #[schema(required)]
    output_id: Option<Uuid>,
    /// The version of the output's design.
    #[schema(required)]
    version: Option<u32>,
    /// Counts how often the generation's failed outputs were rendered again.
    #[schema(required)]
    round: Option<u32>,
    /// What whoever granted the credits said.
    #[schema(required)]
    note: Option<String>,
    /// When it happened.
    #[schema(format = DateTime)]
    created_at: String,
}

/// Credits of one kind.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LedgerSource)]
pub struct SourceView {
    /// `monthly`, `pack` or `topup`.
    r#type: &'static str,
    /// How many.
    amount: u64,
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
    responses((status = 200, description = "The balance.", body = BalanceView)),
)]
pub async fn balance(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::CreditsRead>,
) -> Result<Json<BalanceView>, ApiError> {
    let (account, plan) = (caller.account_id, caller.account.plan);
    let view = app
        .store
        .run(move |store| {
            let view = BalanceView::read(store, account, plan, Millis::now())?;
            store.settle()?;
            Ok(view)
        })
        .await?;
    Ok(Json(view))
}

/// Read the ledger
///
/// Every entry that makes the balance up, the newest first, a page at a time.
#[utoipa::path(
    get,
    path = "/api/credits/ledger",
    operation_id = "readLedger",
    tag = "Credits",
    security(("apiKey" = ["credits:read"])),
    params(PageQuery),
    responses((status = 200, description = "A page of entries.", body = LedgerView)),
    extensions(("x-codes" = json!(["validation_failed", "invalid_cursor"]))),
)]
pub async fn ledger(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::CreditsRead>,
    listing::Page { after, limit, warnings }: listing::Page<u64>,
) -> Result<Json<LedgerView>, ApiError> {
    let account = caller.account_id;
    let (lines, more) = app.store.run(move |store| store.ledger(account, after, limit)).await?;
    Ok(Json(LedgerView::of(&lines, more, limit, warnings)))
}

impl BalanceView {
    /// The balance of an account of this plan. Blocks.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn read(store: &Store, account: Uuid, plan: Plan, now: Millis) -> Result<Self, StateError> {
        Self::of(&store.balance(account, now)?, store, account, plan, now)
    }

    /// The same, of a balance that is at hand.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn of(balance: &Balance, store: &Store, account: Uuid, plan: Plan, now: Millis) -> Result<Self, StateError> {
        let tokens = store.tokens_today(account, now)?;
        Ok(Self {
            balance: balance.available(),
            reserved: balance.reserved,
            monthly_balance: balance.monthly,
            topup_balance: balance.topup,
            pack_balance: balance.in_packs(),
            next_pack_expiry: balance.packs.first().map(|pack| pack.expires.to_string()),
            plan: plan.name(),
            costs: CostsView { visual: credits::VISUAL, slide: credits::SLIDE, edit: credits::EDIT },
            storage: StorageView::of(&store.storage(account)?, store, plan),
            language_model: TokensView { tokens_today: tokens.used, daily_tokens: tokens.limit },
        })
    }
}

impl LedgerView {
    /// A page of so many lines at most, whether there are more, and warnings of the query.
    pub fn of(lines: &[LedgerLine], more: bool, limit: usize, warnings: Vec<Warning>) -> Self {
        let last = lines.last().map(|line| line.entry.number);
        Self {
            entries: lines.iter().map(EntryView::of).collect(),
            pagination: listing::Pagination::numbered(limit, more, last),
            warnings,
        }
    }
}

impl EntryView {
    /// As it is shown.
    pub(crate) fn of(line: &LedgerLine) -> Self {
        let entry = &line.entry;
        Self {
            number: entry.number,
            r#type: line.movement.name(),
            amount: entry.amount,
            balance: entry.available,
            reserved: entry.reserved,
            sources: entry.shares.iter().map(SourceView::of).collect(),
            generation_id: line.generation,
            output_id: line.output,
            version: line.generation.map(|_| line.version),
            round: line.generation.map(|_| line.round),
            note: entry.note.clone(),
            created_at: entry.at.to_string(),
        }
    }
}

impl SourceView {
    fn of(share: &Share) -> Self {
        let kind = match share.source {
            Source::Monthly(_) => "monthly",
            Source::Pack(_) => "pack",
            Source::Topup => "topup",
        };
        Self { r#type: kind, amount: share.amount }
    }
}
