//! Credits and tokens: the ledger, balances, holds, and the use of language models.

pub(super) mod audit;
pub(super) mod holds;
pub(super) mod ledger;
pub(super) mod spending;
pub(super) mod statement;
pub(super) mod token_days;
