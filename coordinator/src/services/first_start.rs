//! What a start tells the operator: the service's addresses and, on the first start, the credentials of the first
//! account.

use std::io::Write;

use anyhow::Context;

use crate::accounts::Plan;
use crate::clock::Millis;
use crate::config::Config;
use crate::emails::Email;
use crate::keys::ApiKey;
use crate::state::{Account, Invited, Store};

/// Credits of the account that the first start creates, in addition to those of its plan.
const FIRST_CREDITS: u64 = 5_000;

/// Credentials that the first start prints once.
pub(super) struct First {
    key: ApiKey,
    /// The first owner, with a token to set the password.
    owner: Option<Invited>,
}

/// Creates the first account with its key and its owner, unless an earlier start did.
///
/// # Errors
/// An invalid address of the owner, and state errors.
pub(super) async fn first_start(store: &Store, config: &Config) -> anyhow::Result<Option<First>> {
    let now = Millis::now();
    let owner = Email::parse(&config.owner_email).context("owner-email: not an e-mail address")?;
    let account = Account { name: "first account".into(), plan: Plan::Pro, active: true, created: now };
    let first = store.run(move |s| {
        let Some(key) = s.first_key(&account, FIRST_CREDITS, now)? else { return Ok(None) };
        Ok(Some(First { key, owner: s.first_owner(&owner, now)? }))
    });
    Ok(first.await?)
}

/// Prints the service's addresses to standard output and, on the first start, the credentials and an example.
pub(super) fn announce(out: &mut impl Write, here: &str, base: &str, first: Option<&First>) -> std::io::Result<()> {
    writeln!(out, "Vivid serves at\n{here}")?;
    if base != here {
        writeln!(out, "which clients reach at\n{base}")?;
    }
    if let Some(Invited { member, token, .. }) = first.and_then(|first| first.owner.as_ref()) {
        writeln!(
            out,
            "\nThe console is there too. This link sets your password, once; you sign in as {}:\n{base}/welcome#{}",
            member.email,
            token.reveal()
        )?;
    }
    if let Some(First { key, .. }) = first {
        let key = key.reveal();
        let body = r#"{"inputType":"text","inputContent":"Four habits of calm teams. Write decisions down. Meet less. Ship small. Rest well.","outputFormats":["instagram_post"]}"#;
        writeln!(
            out,
            "\nYour API key, shown this once:\n{key}\n\n\
             This makes an image. Read the generation of the answer's id at {base}/api/generations/ID, with the same\n\
             X-API-Key, until its status is completed: its outputs hold the image's URL.\n\
             curl -sS {base}/api/generations -H 'X-API-Key: {key}' -H 'Content-Type: application/json' -d '{body}'"
        )?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_told_beside_the_public_one() {
        let said = |base| {
            let mut out = Vec::new();
            announce(&mut out, "http://127.0.0.1:4321", base, None).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(said("http://127.0.0.1:4321"), "Vivid serves at\nhttp://127.0.0.1:4321\n");
        let both = "Vivid serves at\nhttp://127.0.0.1:4321\nwhich clients reach at\nhttps://example.org/vivid\n";
        assert_eq!(said("https://example.org/vivid"), both);
    }
}
