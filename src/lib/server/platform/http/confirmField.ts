/** The field in which a password is typed once more, whatever form it stands in. */
export const CONFIRM_FIELD = 'confirm-password';

/**
 * Takes the password that confirms a form out of it, so that whoever reads the form afterwards reads what was
 * typed and nothing else.
 * @returns null where the form holds none
 */
export async function takeConfirmation(request: Request): Promise<string | null> {
	const form = await request.formData();
	const typed = form.get(CONFIRM_FIELD);
	form.delete(CONFIRM_FIELD);
	request.formData = () => Promise.resolve(form);
	return typeof typed === 'string' && typed !== '' ? typed : null;
}
