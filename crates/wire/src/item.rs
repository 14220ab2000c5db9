use bytes::Bytes;
use groma_model::TopicId;

use crate::{Form, Reader, WireError, Writer};

/// Anything that can be an item of an array: a struct of a message, or a primitive.
pub trait Item: Sized {
    /// The fewest bytes one item takes in any version; a count that asks for more items than the bytes left hold is
    /// refused before anything is allocated.
    const MIN_SIZE: usize;

    /// Reads one item.
    ///
    /// # Errors
    /// When the bytes are not such an item.
    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError>;

    /// Writes one item.
    ///
    /// # Errors
    /// When a field is set that `version` cannot carry, or absent where it must not be.
    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError>;
}

macro_rules! fixed_item {
    ($type:ty, $method:ident, $size:literal) => {
        impl Item for $type {
            const MIN_SIZE: usize = $size;

            fn read(r: &mut Reader, _form: Form, _version: i16) -> Result<Self, WireError> {
                r.$method()
            }

            fn write(&self, w: &mut Writer, _form: Form, _version: i16) -> Result<(), WireError> {
                w.$method(*self);
                Ok(())
            }
        }
    };
}

fixed_item!(i8, i8, 1);
fixed_item!(i16, i16, 2);
fixed_item!(u16, u16, 2);
fixed_item!(i32, i32, 4);
fixed_item!(i64, i64, 8);
fixed_item!(f64, f64, 8);
fixed_item!(TopicId, uuid, 16);

impl Item for String {
    const MIN_SIZE: usize = 1;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        r.string(form)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, self)
    }
}

impl Item for Bytes {
    const MIN_SIZE: usize = 1;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        r.bytes(form)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.bytes(form, self)
    }
}
