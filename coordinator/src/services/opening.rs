//! Opens the state, or explains why it can't be opened and what to do.

use fleet::room::Room;

use crate::config::Config;
use crate::exports::Exports;
use crate::state::{StateError, Store};

/// Opens the state, and sets the configured limits.
pub(super) async fn open_state(config: &Config, room: Room) -> anyhow::Result<Store> {
    let (folder, monthly) = (config.state_dir(), config.monthly_credits());
    let store = tokio::task::spawn_blocking(move || Store::open_in(&folder, monthly, room)).await?;
    let store = store.map_err(|e| unopened(e, config))?;
    store.limit_storage(config.storage_quotas());
    if let Some(tokens) = config.llm_daily_tokens_per_account {
        store.limit_tokens(tokens, config.llm_budget_tokens);
    }
    Ok(store)
}

/// Fails if there are exports of a state that is missing: a fresh start would look like the loss of everything.
pub(super) fn refuse_to_begin_anew(config: &Config) -> anyhow::Result<()> {
    let state = config.state_dir();
    let is_gone = std::fs::read_dir(&state).map_or(true, |mut files| files.next().is_none());
    let name = |file: std::fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    let beside = std::fs::read_dir(&config.data_dir).into_iter().flatten().flatten().map(name);
    if is_gone && beside.into_iter().any(|name| name.starts_with("state.")) {
        anyhow::bail!(
            "the state in {state} is missing, but parts of it are beside it. Run `coordinator recover --data-dir {data}`, or repeat \
             `coordinator import` if an import was interrupted",
            state = state.display(),
            data = config.data_dir.display()
        );
    }
    match Exports::files_in(&Exports::folder_in(&config.data_dir)).first() {
        Some(newest) if is_gone => anyhow::bail!(
            "the state in {state} is missing, but there are exports of it. Run `coordinator recover --data-dir {data}` to recover it, \
             or move the exports elsewhere to start with an empty state. Newest export: {newest}",
            state = state.display(),
            data = config.data_dir.display(),
            newest = newest.display()
        ),
        _ => Ok(()),
    }
}

/// Describes why the state can't be opened, and what to do.
fn unopened(error: StateError, config: &Config) -> anyhow::Error {
    if matches!(error, StateError::InUse(_) | StateError::NoRoom(_) | StateError::HalfDone(_)) {
        return anyhow::Error::new(error).context("can't open the state");
    }
    let data = config.data_dir.display();
    let newest = Exports::files_in(&Exports::folder_in(&config.data_dir)).into_iter().next();
    let newest = newest.map_or_else(|| "there is none".into(), |file| file.display().to_string());
    anyhow::anyhow!(
        "{error}. The service does not start. Newest export: {newest}. To recover, with the service stopped: copy {data} somewhere \
         safe, then run `coordinator recover --data-dir {data}`, which discards no commits unless you add --accept-loss"
    )
}
