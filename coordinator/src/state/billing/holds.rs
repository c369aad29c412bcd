//! The credits that a generation reserves.

use uuid::Uuid;

use crate::accounts::MonthlyCredits;
use crate::clock::Millis;
use crate::state::billing::ledger::{self, Posted};
use crate::state::database::tables::{Abort, Tx};
use crate::state::rows::generations::Generation;
use crate::state::rows::outputs::Output;

/// A lack of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::state) struct Short {
    pub(in crate::state) required: u64,
    pub(in crate::state) available: u64,
}

/// Checks that an account has `required` credits.
pub(in crate::state) fn afford(
    tx: &Tx<'_>,
    account: Uuid,
    required: u64,
    monthly: &MonthlyCredits,
    now: Millis,
) -> Result<Result<(), Short>, Abort> {
    let available = ledger::renewed(tx, account, monthly, now)?.available();
    Ok(if available < required { Err(Short { required, available }) } else { Ok(()) })
}

/// Returns what an output's credits move for.
pub(in crate::state) fn held(generation: &Generation, output: &Output) -> Posted {
    Posted {
        account: generation.account,
        generation: generation.id,
        output: output.id,
        version: output.version,
        round: generation.round,
        amount: output.cost,
    }
}
