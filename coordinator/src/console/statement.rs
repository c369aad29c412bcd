//! `GET /console/api/statement`: the ledger as people read it, with one row per request, in pages of rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::Active;
use crate::api::credits::EntryView;
use crate::app::App;
use crate::http::error::ApiError;
use crate::state::{StateError, StatementRow, Store};

/// Maximum number of rows on a page.
const ROWS: usize = 20;

/// A page of the statement.
#[derive(Debug, Serialize)]
pub(super) struct Statement {
    rows: Vec<Row>,
    /// The value of `before` for the next page; `None` on the last one.
    before: Option<u64>,
    /// The titles of the rows' generations, by id.
    names: BTreeMap<Uuid, String>,
}

/// The effect of one request on the credits.
#[derive(Debug, Serialize)]
struct Row {
    /// Its latest entry, with the amount of the whole row.
    #[serde(flatten)]
    entry: EntryView,
    paid: u64,
    back: u64,
    images: u32,
}

/// The query parameters: the page before this entry number, or the first page.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    before: Option<u64>,
}

/// Returns a page, newest row first.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    visitor: Active,
    Query(asked): Query<Asked>,
) -> Result<Json<Statement>, ApiError> {
    page(&app, visitor.account_id, asked.before).await.map(Json)
}

/// Returns the page of an account's statement before entry number `before`.
pub(super) async fn page(app: &App, account: Uuid, before: Option<u64>) -> Result<Statement, ApiError> {
    let read = move |store: &Store| {
        let (rows, before) = store.statement(account, before, ROWS)?;
        let names = names(store, account, &rows)?;
        Ok(Statement { rows: rows.iter().map(Row::of).collect(), before, names })
    };
    Ok(app.store.run(read).await?)
}

impl Row {
    fn of(row: &StatementRow) -> Self {
        let mut line = row.line.clone();
        line.entry.amount = row.amount;
        Self { entry: EntryView::of(&line), paid: row.paid, back: row.back, images: row.outputs }
    }
}

fn names(store: &Store, account: Uuid, rows: &[StatementRow]) -> Result<BTreeMap<Uuid, String>, StateError> {
    let mut names = BTreeMap::new();
    for id in rows.iter().filter_map(|row| row.line.generation) {
        if !names.contains_key(&id)
            && let Some(snapshot) = store.generation(account, id)?
        {
            names.extend(snapshot.generation.title().map(|title| (id, title.to_owned())));
        }
    }
    Ok(names)
}
