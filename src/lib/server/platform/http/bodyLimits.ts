import { SMALL_FORM } from '#lib/text/smallForm.ts';

/** Limits for the body of one request, enforced while it is read. */
export interface BodyLimits {
	bytes: number;
	/** Fields of a form, or parts of a multipart body. */
	fields: number;
	/** Bytes of one field's name, or of the headers of one part. */
	nameBytes: number;
}

export const KiB = 1024;

/**
 * Limits for visitors who are not signed in, and for every route without an entry in the table of larger
 * limits.
 */
export const SMALL_BODY: BodyLimits = { ...SMALL_FORM, nameBytes: 1 * KiB };
