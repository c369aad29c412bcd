//! The commands of the operator. Most call the service's admin API and print its response as JSON. Some work without a
//! service.

mod client;
mod render;
mod service;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use serde_json::{Map, Value, json};

use crate::clock::Millis;
use crate::exports::Exports;
use client::Client;
use service::{Asked, Service};

/// The commands, by their first word.
const COMMANDS: [&str; 11] = [
    "account",
    "key",
    "member",
    "generation",
    "dead-letter",
    "fleet",
    "scrub",
    "export",
    "import",
    "recover",
    "render",
];

#[derive(Debug, Parser)]
#[command(name = "coordinator", version, about = "Manages a running service")]
struct CommandLine {
    #[command(flatten)]
    service: Service,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Manages accounts, their plans and credits
    #[command(subcommand)]
    Account(AccountCommand),
    /// Manages API keys of an account
    #[command(subcommand)]
    Key(KeyCommand),
    /// Manages members of an account, who log in to the console
    #[command(subcommand)]
    Member(MemberCommand),
    /// Shows and retries generations of any account
    #[command(subcommand)]
    Generation(GenerationCommand),
    /// Lists and retries dead letters: jobs that were given up
    #[command(subcommand)]
    DeadLetter(LetterCommand),
    /// Shows the workers on other machines, their jobs and the waiting jobs
    Fleet,
    /// Compares all stored objects with their hashes
    #[command(subcommand)]
    Scrub(ScrubCommand),
    /// Writes a copy of the state to the folder "exports" in the data folder
    Export,
    /// Creates a state from an exported copy, in a data folder without a state. The service must not be running
    Import {
        /// The file of the copy
        file: PathBuf,
    },
    /// Recovers a damaged state from the database, the journal and the exports in the data folder. The service must not
    /// be running. Damaged files are moved aside, not deleted
    Recover {
        /// Continue even if some commits can't be recovered
        #[arg(long)]
        accept_loss: bool,
    },
    /// Renders pages in the page language to image files, without a service
    Render(render::Render),
}

#[derive(Debug, Subcommand)]
enum AccountCommand {
    /// Creates an account
    Create {
        /// The account's name
        name: String,
        /// free, starter, pro or business
        #[arg(long, default_value = "free")]
        plan: String,
        /// Credits that don't expire, in addition to those of the plan
        #[arg(long, default_value_t = 0)]
        credits: u64,
    },
    /// Lists the accounts
    List {
        /// Maximum number of accounts
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// The nextCursor of the previous page
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Shows an account and its credits
    Show {
        /// The account's id
        account: String,
    },
    /// Grants credits to an account
    Credit {
        /// The account's id
        account: String,
        /// Number of credits
        amount: u64,
        /// When they expire, as an RFC 3339 time [default: never]
        #[arg(long)]
        expires: Option<String>,
        /// A note for the ledger
        #[arg(long)]
        note: Option<String>,
        /// Repeating the command with the same key grants the credits only once
        #[arg(long)]
        idempotency_key: Option<String>,
    },
    /// Lists the entries of an account's ledger
    Ledger {
        /// The account's id
        account: String,
        /// The nextCursor of the previous page
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Changes an account's name or plan
    Change {
        /// The account's id
        account: String,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// free, starter, pro or business
        #[arg(long)]
        plan: Option<String>,
    },
    /// Deactivates an account: new requests are refused, running work is finished
    Deactivate {
        /// The account's id
        account: String,
    },
    /// Activates an account again
    Activate {
        /// The account's id
        account: String,
    },
}

#[derive(Debug, Subcommand)]
enum ScrubCommand {
    /// Starts a pass now, or speeds up the current pass
    Start,
    /// Shows the progress and the damage found
    Show,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Creates a key and shows it once
    Create {
        /// The account's id
        account: String,
        /// The key's name
        name: String,
        /// Scopes of the key, separated by commas [default: all]
        #[arg(long, value_delimiter = ',')]
        scopes: Vec<String>,
    },
    /// Lists an account's keys
    List {
        /// The account's id
        account: String,
    },
    /// Replaces a key by a new one
    Rotate {
        /// The account's id
        account: String,
        /// The key's id
        key: String,
        /// Seconds for which the old key stays valid
        #[arg(long, default_value_t = 0)]
        grace: u64,
    },
    /// Revokes a key: it is refused at once
    Revoke {
        /// The account's id
        account: String,
        /// The key's id
        key: String,
    },
}

#[derive(Debug, Subcommand)]
enum MemberCommand {
    /// Invites a member. The service sends no mail: pass the link on yourself
    Invite {
        /// The account's id
        account: String,
        /// The member's e-mail address
        email: String,
        /// The member's name
        name: String,
        /// holder (may do everything) or operator
        #[arg(long, default_value = "holder")]
        role: String,
    },
    /// Lists an account's members
    List {
        /// The account's id
        account: String,
    },
    /// Creates a link that sets a member's password
    Link {
        /// The account's id
        account: String,
        /// The member's id
        member: String,
    },
    /// Makes a member an admin of the service, who sees the fleet and every account in the console
    Staff {
        /// The account's id
        account: String,
        /// The member's id
        member: String,
        /// Remove the admin role instead
        #[arg(long)]
        not: bool,
    },
    /// Removes a member and ends its sessions
    Remove {
        /// The account's id
        account: String,
        /// The member's id
        member: String,
    },
}

#[derive(Debug, Subcommand)]
enum GenerationCommand {
    /// Shows a generation with all its outputs
    Show {
        /// The generation's id
        generation: String,
    },
    /// Retries the failed outputs, for the account's credits
    Retry {
        /// The generation's id
        generation: String,
    },
}

#[derive(Debug, Subcommand)]
enum LetterCommand {
    /// Lists dead letters, the newest first
    List,
    /// Retries the failed outputs of the job's generation, for the account's credits
    Retry {
        /// The job's id
        job: String,
    },
}

/// Returns whether the process was started to run a command rather than to serve. Options of the service may precede
/// the command.
pub fn is_one(words: impl IntoIterator<Item = OsString>) -> bool {
    let command = CommandLine::command();
    let options: Vec<_> = command.get_arguments().filter_map(|a| a.get_long()).collect();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let Some(word) = word.to_str() else { return false };
        match word.strip_prefix("--").map(|option| option.split_once('=').unwrap_or((option, ""))) {
            // The option's value is the next word.
            Some((option, "")) if options.contains(&option) => drop(words.next()),
            Some((option, _)) if options.contains(&option) => {}
            _ => return COMMANDS.contains(&word),
        }
    }
    false
}

/// Runs the command given by the process's arguments.
pub fn run() -> ExitCode {
    let CommandLine { service, command } = CommandLine::parse();
    // An import or a recovery creates files that contain secrets.
    fleet::process::private_files();
    let answered = match asked(command) {
        Wanted::Answer(asked) => answer(&service, asked),
        Wanted::Import(file) => import(&service, &file),
        Wanted::Recover { accept_loss } => recover(&service, accept_loss),
        Wanted::Render(render) => render.run(),
    };
    match answered {
        Ok(text) => match writeln!(std::io::stdout().lock(), "{text}") {
            Ok(()) => ExitCode::SUCCESS,
            // The reader of the pipe has closed it.
            Err(_) => ExitCode::FAILURE,
        },
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "coordinator: {e:#}");
            ExitCode::FAILURE
        }
    }
}

/// What a command does.
enum Wanted {
    /// Calls the admin API.
    Answer(Asked),
    /// Creates a state from a copy.
    Import(PathBuf),
    /// Recovers a damaged state.
    Recover { accept_loss: bool },
    /// Renders pages to image files.
    Render(render::Render),
}

fn asked(command: Command) -> Wanted {
    let of = |account: &str, rest: &str| format!("/admin/accounts/{}{rest}", escaped(account));
    Wanted::Answer(match command {
        Command::Import { file } => return Wanted::Import(file),
        Command::Recover { accept_loss } => return Wanted::Recover { accept_loss },
        Command::Render(render) => return Wanted::Render(render),
        Command::Fleet => Asked::get("/admin/fleet"),
        Command::Export => Asked::post("/admin/exports"),
        Command::Scrub(ScrubCommand::Start) => Asked::post("/admin/scrub"),
        Command::Scrub(ScrubCommand::Show) => Asked::get("/admin/scrub"),
        Command::Account(command) => match command {
            AccountCommand::Create { name, plan, credits } => {
                Asked::send("POST", "/admin/accounts", json!({ "name": name, "plan": plan, "credits": credits }))
            }
            AccountCommand::List { limit, cursor } => {
                Asked::get(format!("/admin/accounts?limit={limit}{}", after(cursor.as_deref())))
            }
            AccountCommand::Show { account } => Asked::get(of(&account, "")),
            AccountCommand::Credit { account, amount, expires, note, idempotency_key } => {
                let body = given([
                    ("amount", Some(json!(amount))),
                    ("expiresAt", expires.map(Value::from)),
                    ("note", note.map(Value::from)),
                ]);
                Asked { idempotency_key, ..Asked::send("POST", of(&account, "/credits"), body) }
            }
            AccountCommand::Ledger { account, cursor } => {
                Asked::get(of(&account, &format!("/ledger?limit=100{}", after(cursor.as_deref()))))
            }
            AccountCommand::Change { account, name, plan } => {
                let body = given([("name", name.map(Value::from)), ("plan", plan.map(Value::from))]);
                Asked::send("PATCH", of(&account, ""), body)
            }
            AccountCommand::Deactivate { account } => {
                Asked::send("PATCH", of(&account, ""), json!({ "active": false }))
            }
            AccountCommand::Activate { account } => Asked::send("PATCH", of(&account, ""), json!({ "active": true })),
        },
        Command::Key(command) => match command {
            KeyCommand::Create { account, name, scopes } => {
                let scopes = (!scopes.is_empty()).then(|| json!(scopes));
                let body = given([("name", Some(json!(name))), ("scopes", scopes)]);
                Asked::send("POST", of(&account, "/keys"), body)
            }
            KeyCommand::List { account } => Asked::get(of(&account, "/keys")),
            KeyCommand::Rotate { account, key, grace } => {
                let path = of(&account, &format!("/keys/{}/rotate", escaped(&key)));
                Asked::send("POST", path, json!({ "graceSeconds": grace }))
            }
            KeyCommand::Revoke { account, key } => Asked::delete(of(&account, &format!("/keys/{}", escaped(&key)))),
        },
        Command::Member(command) => match command {
            MemberCommand::Invite { account, email, name, role } => {
                let body = json!({ "email": email, "name": name, "role": role });
                Asked::send("POST", of(&account, "/members"), body)
            }
            MemberCommand::List { account } => Asked::get(of(&account, "/members")),
            MemberCommand::Link { account, member } => {
                Asked::post(of(&account, &format!("/members/{}/link", escaped(&member))))
            }
            MemberCommand::Staff { account, member, not } => {
                let path = of(&account, &format!("/members/{}", escaped(&member)));
                Asked::send("PUT", path, json!({ "staff": !not }))
            }
            MemberCommand::Remove { account, member } => {
                Asked::delete(of(&account, &format!("/members/{}", escaped(&member))))
            }
        },
        Command::Generation(GenerationCommand::Show { generation }) => {
            Asked::get(format!("/admin/generations/{}", escaped(&generation)))
        }
        Command::Generation(GenerationCommand::Retry { generation }) => {
            Asked::post(format!("/admin/generations/{}/retry", escaped(&generation)))
        }
        Command::DeadLetter(LetterCommand::List) => Asked::get("/admin/dead-letters"),
        Command::DeadLetter(LetterCommand::Retry { job }) => {
            Asked::post(format!("/admin/dead-letters/{}/retry", escaped(&job)))
        }
    })
}

/// Returns a JSON object of the fields that have a value.
fn given<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn after(cursor: Option<&str>) -> String {
    cursor.map(|c| format!("&cursor={}", escaped(c))).unwrap_or_default()
}

/// Escapes user input for a path or query. Ids and cursors need no escapes, and anything else finds nothing.
fn escaped(typed: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    typed.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn import(service: &Service, file: &Path) -> anyhow::Result<String> {
    let made = crate::state::import(&service.data_dir.join(crate::config::STATE), file)?;
    Ok(serde_json::to_string_pretty(&json!({
        "entries": made.entries, "service": made.service, "writtenAt": made.at.to_string(), "unbalanced": made.unbalanced,
    }))?)
}

fn recover(service: &Service, accept_loss: bool) -> anyhow::Result<String> {
    let folder = service.data_dir.join(crate::config::STATE);
    let exports = Exports::files_in(&Exports::folder_in(&service.data_dir));
    let Some(made) = crate::state::recover(&folder, &exports, accept_loss, Millis::now())? else {
        return Ok("the state is not damaged".into());
    };
    Ok(serde_json::to_string_pretty(&json!({
        "commits": made.commits, "lost": made.lost, "export": made.export, "damaged": made.damaged,
    }))?)
}

fn answer(service: &Service, asked: Asked) -> anyhow::Result<String> {
    let client = Client::new(service)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (is_success, body) = runtime.block_on(client.ask(&asked))?;
    if body.is_empty() && is_success {
        return Ok("done".into());
    }
    let answer: Value = serde_json::from_slice(&body)
        .map_err(|_| anyhow::anyhow!("{} did not answer like Vivid's admin API", client.base()))?;
    if is_success {
        return Ok(serde_json::to_string_pretty(&answer)?);
    }
    let details = answer["details"].as_array().into_iter().flatten().filter_map(|d| d["message"].as_str());
    let message = answer["message"].as_str().unwrap_or("the request was refused");
    let all: Vec<&str> = std::iter::once(message).chain(details.filter(|d| *d != message)).collect();
    Err(anyhow::anyhow!("{}", all.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Asked {
        match asked(CommandLine::try_parse_from(std::iter::once(&"coordinator").chain(words)).unwrap().command) {
            Wanted::Answer(asked) => asked,
            Wanted::Import(_) | Wanted::Recover { .. } | Wanted::Render(_) => panic!("{words:?}"),
        }
    }

    #[test]
    fn every_command_is_one() {
        let command = CommandLine::command();
        let words: Vec<_> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        assert!(words.iter().all(|word| is_one([word.into()])), "{words:?}");
        assert_eq!(words.len(), COMMANDS.len());
        let told = |words: &[&str]| is_one(words.iter().map(Into::into));
        assert!(
            told(&["--data-dir", "a", "fleet"])
                && told(&["--data-dir=a", "--admin-url", "http://b", "account", "list"])
        );
        for served in
            [&[][..], &["--listen", "fleet"], &["--data-dir", "fleet"], &["--data-dir=a", "--queue", "export"]]
        {
            assert!(!told(served), "{served:?}");
        }
    }

    #[test]
    fn what_is_typed_stays_in_its_place() {
        let credit = parsed(&["account", "credit", "../x?y", "5", "--note", "thanks"]);
        assert_eq!((credit.method, credit.path.as_str()), ("POST", "/admin/accounts/%2E%2E%2Fx%3Fy/credits"));
        assert_eq!(credit.body, Some(json!({"amount": 5, "note": "thanks"})));
        let change = parsed(&["account", "change", "a", "--plan", "pro"]);
        assert_eq!(change.body, Some(json!({"plan": "pro"})));
        assert_eq!(parsed(&["account", "list", "--cursor", "AQ-_"]).path, "/admin/accounts?limit=100&cursor=AQ-_");
    }
}
