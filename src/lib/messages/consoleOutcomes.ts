/** Texts of the RPC console for calls without a response. */
export const consoleOutcomes = {
	noDaemon: 'This daemon does not exist.',
	noNode: 'This trading node does not exist.',
	ended: 'The session of this page ended before this call was made. The call was not made.',
	late: 'The session of this page ended before the daemon responded. The response is withheld.',
	unknown: {
		what: 'Komodeck failed after the call was sent.',
		safe: 'It is unknown whether the call was executed.',
		next: 'Check what happened before you call it again.'
	},
	answerTooLong: 'This call was made before. Its answer was too long to be stored.',
	formReused:
		'This form was already sent with other values. Nothing was called: open the form again.',
	inProgress:
		'This form is still being processed, or the server stopped before the answer came. Nothing was called twice: check what happened before you open the form again.'
} as const;
