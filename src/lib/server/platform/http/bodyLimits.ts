/** What the body of one request may hold. It is counted while it is read. */
export interface BodyLimits {
	bytes: number;
	/** Fields of a form, or parts of one that carries files. */
	fields: number;
	/** Bytes of one field's name, or of the header lines of one part. */
	nameBytes: number;
}

export const KiB = 1024;

/** Of whoever is not signed in, and of every route that has no entry in the table of larger ones. */
export const SMALL_BODY: BodyLimits = { bytes: 64 * KiB, fields: 1_000, nameBytes: 1 * KiB };
