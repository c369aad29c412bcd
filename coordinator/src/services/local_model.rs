//! Looks for a model server on this machine.

use crate::config::Config;

/// Returns the settings with a model server found on this machine, if one should be looked for.
pub(super) async fn with_local_model(config: Config) -> Config {
    if !config.looks_for_model() {
        return config;
    }
    let found = fleet::llm::find_local(config.llm_model.as_deref()).await;
    match &found {
        Some(local) => {
            tracing::info!(
                server = local.server,
                model = local.model,
                at = local.base_url,
                "model server found on this machine"
            );
        }
        None => tracing::info!("no model server found on this machine: rules compose the pages"),
    }
    config.with_found(found.and_then(|local| Some((local.base_url.parse().ok()?, local.model))))
}
