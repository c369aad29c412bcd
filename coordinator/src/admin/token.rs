//! The operator's token. The first start writes it to a file that only its owner can read. Each start writes the
//! listener's address to a file next to it, so that commands on the same machine find both.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Name of the token's file.
const TOKEN: &str = "admin-token";
/// Name of the file with the listener's address.
const ADDRESS: &str = "admin-address";
/// Random bytes in a token.
const RANDOM: usize = 32;

/// The SHA-256 of the token. The service keeps only this digest in memory.
#[derive(Clone)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// Computes the digest of a token.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.trim().as_bytes()).into())
    }

    /// Whether the digest is of this token. Compares in constant time.
    pub(super) fn is_of(&self, token: &str) -> bool {
        Self::of(token).0.ct_eq(&self.0).into()
    }
}

/// Returns the token of a data folder, and creates it if there is none.
///
/// # Errors
/// Reading or writing the file fails.
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
    // Written to a temporary file and renamed, so that an interrupted start leaves no partial token.
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

/// Returns the token that an earlier start created.
///
/// # Errors
/// Reading the file fails, or the file is empty.
pub fn token_of(data: &Path) -> std::io::Result<String> {
    read(&data.join(TOKEN))
}

fn read(path: &Path) -> std::io::Result<String> {
    let token = std::fs::read_to_string(path)?.trim().to_owned();
    if token.is_empty() {
        return Err(std::io::Error::other(format!(
            "{} is empty: delete it and restart the service to create a new token",
            path.display()
        )));
    }
    Ok(token)
}

/// Writes the listener's address to its file.
///
/// # Errors
/// Writing the file fails.
pub fn note_address(data: &Path, address: SocketAddr) -> std::io::Result<()> {
    std::fs::write(data.join(ADDRESS), format!("http://{address}\n"))
}

/// Returns the listener's address at the last start.
///
/// # Errors
/// Reading the file fails.
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
