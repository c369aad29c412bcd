//! The operator's token: made at the first start, in a file that its owner alone can read; and where the listener is, in a
//! file beside it, so that commands on the same machine find both.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Name of the file of the token.
const TOKEN: &str = "admin-token";
/// Name of the file of the listener's address.
const ADDRESS: &str = "admin-address";
/// Bytes of randomness of a token.
const RANDOM: usize = 32;

/// The SHA-256 of the token: what the service keeps of it in memory.
#[derive(Clone)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// That of a token.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.trim().as_bytes()).into())
    }

    /// Whether this is the token; takes the same time wherever the two differ.
    pub(super) fn is_of(&self, token: &str) -> bool {
        Self::of(token).0.ct_eq(&self.0).into()
    }
}

/// The token of a data folder, made where there is none yet.
///
/// # Errors
/// Of reading or writing its file.
pub fn token(data: &Path) -> std::io::Result<String> {
    let path = data.join(TOKEN);
    match read(&path) {
        Ok(token) => return Ok(token),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(e),
    }
    let mut random = [0; RANDOM];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let token = URL_SAFE_NO_PAD.encode(random);
    // Whole or not at all: a start that is cut off leaves no half of a token.
    let unfinished = data.join(format!("{TOKEN}.new"));
    let _ = std::fs::remove_file(&unfinished);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    writeln!(file, "{token}")?;
    file.sync_all()?;
    std::fs::rename(&unfinished, &path)?;
    Ok(token)
}

/// The token that a start before made.
///
/// # Errors
/// Of reading its file; one that is empty is an error too.
pub fn token_of(data: &Path) -> std::io::Result<String> {
    read(&data.join(TOKEN))
}

fn read(path: &Path) -> std::io::Result<String> {
    let token = std::fs::read_to_string(path)?.trim().to_owned();
    if token.is_empty() {
        return Err(std::io::Error::other(format!(
            "{} is empty: delete it, and a start makes another",
            path.display()
        )));
    }
    Ok(token)
}

/// Notes where the listener is.
///
/// # Errors
/// Of writing the file.
pub fn note_address(data: &Path, address: SocketAddr) -> std::io::Result<()> {
    std::fs::write(data.join(ADDRESS), format!("http://{address}\n"))
}

/// Where the listener was when it was last started.
///
/// # Errors
/// Of reading the file.
pub fn address_of(data: &Path) -> std::io::Result<String> {
    Ok(std::fs::read_to_string(data.join(ADDRESS))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_for_its_owner() {
        let data = tempfile::tempdir().unwrap();
        let made = token(data.path()).unwrap();
        assert_eq!(made.len(), 43);
        assert_eq!(token(data.path()).unwrap(), made);
        assert_eq!(token_of(data.path()).unwrap(), made);
        assert!(TokenDigest::of(&made).is_of(&made) && !TokenDigest::of(&made).is_of("another"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(data.path().join(TOKEN)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(data.path().join(TOKEN), "\n").unwrap();
        assert!(token(data.path()).is_err(), "an empty token would let everybody in");
    }
}
