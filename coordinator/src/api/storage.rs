//! Reserves account storage before a request stores anything.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::Plan;
use crate::app::App;
use crate::http::error::ApiError;
use crate::state::{Growth, Storage, StorageFull, Store};

/// An account's storage.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StorageUse)]
pub struct StorageView {
    /// Bytes used: uploads, inputs, images, exports and brand files, each counted once, plus what is reserved for
    /// images in progress.
    #[schema(examples(18_350_080))]
    used_bytes: u64,
    /// Bytes that the plan includes; `null` if there is no limit.
    #[schema(required, examples(268_435_456))]
    quota_bytes: Option<u64>,
}

impl StorageView {
    /// Builds the view for an account on this plan.
    pub fn of(storage: &Storage, store: &Store, plan: Plan) -> Self {
        Self { used_bytes: storage.used(), quota_bytes: store.storage_quotas().of(plan) }
    }
}

impl From<StorageFull> for ApiError {
    fn from(full: StorageFull) -> Self {
        crate::metrics::storage_refused();
        Self::StorageQuota(full)
    }
}

/// Reserves storage for data that is about to be stored.
///
/// # Errors
/// [`ApiError::StorageQuota`], and state errors.
pub(super) async fn reserve(app: &App, account: Uuid, growth: Growth) -> Result<(), ApiError> {
    Ok(app.store.run(move |store| store.reserve_storage(account, &growth)).await??)
}
