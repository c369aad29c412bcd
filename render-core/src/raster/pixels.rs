//! Boxes of whole pixels.

/// Left, top, right, bottom; right and bottom are exclusive.
pub(super) type PixelBox = [i32; 4];

/// Returns the box of a whole canvas with this width and height.
pub(super) fn whole(size: [u32; 2]) -> PixelBox {
    [0, 0, size[0] as i32, size[1] as i32]
}

/// Grows a box by `d` on every side.
pub(super) fn grow(b: PixelBox, d: i32) -> PixelBox {
    [b[0] - d, b[1] - d, b[2] + d, b[3] + d]
}

/// Returns the intersection of two boxes; `None` if it is empty.
pub(super) fn meet(a: PixelBox, b: PixelBox) -> Option<PixelBox> {
    let c = [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])];
    (c[0] < c[2] && c[1] < c[3]).then_some(c)
}

/// Returns the smallest box around both.
pub(super) fn unite(a: Option<PixelBox>, b: Option<PixelBox>) -> Option<PixelBox> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    Some([a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}
