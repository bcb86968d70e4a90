/** Fields that confirm a form by password or second factor, in any form. */
export const CONFIRM_FIELD = 'confirm-password';
export const CONFIRM_CODE_FIELD = 'confirm-code';
export const CONFIRM_PASSKEY_FIELD = 'confirm-passkey';
export const CONFIRM_FIELDS = [CONFIRM_FIELD, CONFIRM_CODE_FIELD, CONFIRM_PASSKEY_FIELD] as const;

/** The confirmation that was submitted with a form; null: none. */
interface TypedConfirmation {
	password: string | null;
	/** Code of a second factor. */
	code: string | null;
	/** Response of a passkey, as it was submitted. */
	passkey: string | null;
}

/**
 * Removes the confirmation fields from the request's form, so that later readers see only the form's own
 * fields.
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
