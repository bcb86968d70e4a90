/** Returns `aria-describedby` of a field with this id: its error and its hint, those of the two that it has. */
export const describedBy = (
	id: string,
	error: string | undefined,
	hint: string | undefined
): string | undefined =>
	[error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined;
