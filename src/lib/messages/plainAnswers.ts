/** Texts of responses that are no pages: for programs, and where nothing can be rendered. */
export const PLAIN_ANSWERS = {
	notFound: 'Not found',
	overview: 'Back to overview',
	failed: 'This failed on the server.',
	tooLarge: 'This request is too large',
	/** @param most limit of header fields in a request */
	tooManyFields: (most: number): string =>
		`A request may have ${most} header fields; this one has more, so nothing was done.`,
	noHost:
		'Nothing was done, because this request does not name exactly one host. Send one Host field with one host name.',
	unknownHost:
		'Nothing was done, because this server is not set up for the host name of this request. To use this name, add it to the setting KOMODECK_HOSTS, or set KOMODECK_ORIGIN when a proxy stands in front, and restart.'
} as const;
