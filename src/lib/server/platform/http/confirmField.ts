/** The fields in which a password or a factor is given once more, whatever form they stand in. */
export const CONFIRM_FIELD = 'confirm-password';
export const CONFIRM_CODE_FIELD = 'confirm-code';
export const CONFIRM_PASSKEY_FIELD = 'confirm-passkey';
export const CONFIRM_FIELDS = [CONFIRM_FIELD, CONFIRM_CODE_FIELD, CONFIRM_PASSKEY_FIELD] as const;

/** What was typed to confirm a form; null: nothing. */
interface TypedConfirmation {
	password: string | null;
	/** Of a second factor. */
	code: string | null;
	/** What a passkey signed. */
	passkey: string | null;
}

/**
 * Takes what confirms a form out of it, so that whoever reads the form afterwards reads what was typed and nothing
 * else.
 */
export async function takeConfirmation(request: Request): Promise<TypedConfirmation> {
	const form = await request.formData();
	const taken = (name: string): string | null => {
		const typed = form.get(name);
		form.delete(name);
		return typeof typed === 'string' && typed !== '' ? typed : null;
	};
	const confirmation = {
		password: taken(CONFIRM_FIELD),
		code: taken(CONFIRM_CODE_FIELD),
		passkey: taken(CONFIRM_PASSKEY_FIELD)
	};
	request.formData = () => Promise.resolve(form);
	return confirmation;
}
