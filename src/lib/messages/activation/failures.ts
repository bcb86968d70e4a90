/** Failures of activation and signing: what happened, what is safe, what to do next. */

import { unreadableActivation, type NodePasswordFault } from '../errors/activation.ts';

interface Words {
	what: string;
	next: string;
}

export const safeWords = {
	nothing: 'Nothing was activated, and no funds were touched.',
	unsure:
		'It is unknown whether the node acted. It is safe to ask again: a coin that is active stays active.',
	/** For requests that must not be repeated, such as disabling a coin. */
	unsureChange: 'It is unknown whether the node acted.',
	unsigned: 'Nothing was signed.',
	maybeSigned:
		'It is unknown whether the node signed. A signature that it may have made is shown nowhere.',
	/** For a task that is finished. */
	ended: 'The list of coins shows whether the coin is active.',
	finished: 'What the task did stands.'
} as const;

export const failureWords = {
	pin: (wrongPins: number | null): Words => ({
		what: `The device rejected the PIN.${
			wrongPins === null
				? ''
				: ` That is ${wrongPins} wrong PINs in a row. The device waits longer after each one and erases itself after 16: look up the PIN before you try again.`
		}`,
		next: 'Try again: press the positions of your digits as the device shows them now. They change each time.'
	}),
	/** `coin` is null for the hardware wallet itself; `said` is the node's message. */
	refused: (coin: string | null, said: string): Words => ({
		what: `The node rejected ${coin ?? 'the request'}${said === '' ? ' without a reason.' : `: ${said}`}`,
		next:
			said === ''
				? 'Check the node’s log, then try again.'
				: 'Correct what the node names, then try again.'
	}),
	rejected: (coin: string | null): string => `The node rejected ${coin ?? 'the request'}.`,
	quoted: (what: string, said: string): string => `${what} It says: ${said}`,
	away: (node: string): Words => ({
		what: `The trading node ${node} is offline.`,
		next: 'Check that the node runs and that its address and port are the configured ones, then try again.'
	}),
	nodePasswordFault: {
		PasswordReplaced: (node: string): Words => ({
			what: `The trading node ${node} rejected the call: its password was replaced in the meantime.`,
			next: 'Try again in a moment.'
		}),
		PasswordUnreadable: (node: string): Words => ({
			what: `The password of the trading node ${node} cannot be read from its file.`,
			next: 'An admin checks the file that the configuration names for the node.'
		})
	} satisfies Record<NodePasswordFault, (node: string) => Words>,
	timeout: (node: string): Words => ({
		what: `The trading node ${node} did not respond in time.`,
		next: 'Check what is active now, then try again.'
	}),
	password: (node: string): Words => ({
		what: `The trading node ${node} rejected the configured password. Komodeck sends nothing more to it: after ten wrong passwords the node would block it.`,
		next: 'An admin compares rpc_password in MM2.json with the configuration here, then allows calls again.'
	}),
	/** A call that waited for the node until its member had lost the right to it. */
	kept: {
		what: 'The call was not sent: your session ended or your rights changed while it waited for the trading node.',
		next: 'Log in again, or ask an admin for the right.'
	},
	control: 'Wait until an admin turns the safety control off.',
	parameters: 'Correct the parameters.',
	misfit: (node: string): Words => ({
		what: `The trading node ${node} sent an unrecognized response.`,
		next: 'Compare its version with the supported ones, and check the list of coins.'
	}),
	servers: {
		silent: (servers: number, isLight: boolean): string => {
			const kind = isLight ? 'lightwalletd ' : '';
			return servers === 1
				? `The ${kind}server does not answer.`
				: `None of the ${servers} ${kind}servers answers.`;
		},
		allPrivate: 'Every selected server is in a private network that is not listed.',
		noneAnswers: 'The reason is shown beside each server below. Choose others, or try again later.',
		notListed:
			'An admin can list them as servers of your own network; Komodeck sends the node nowhere else.'
	},
	/** The member who started it lost the account or the role while it waited. */
	notAllowedNow: (person: string, isClosed: boolean): Words => ({
		what: isClosed
			? `The account of ${person}, who started this, is disabled.`
			: `The role of ${person}, who started this, does not allow it any more.`,
		next: 'Another member who may activate coins can start it again.'
	}),
	/** A policy rule that was added, or whose window was used up, while it waited. */
	ruledOut: (rule: number): Words => ({
		what: `Rule ${rule} of the policies does not allow this any more.`,
		next: 'An admin can change the rule on the Policies page. Then start the activation again.'
	}),
	unreadable: {
		what: unreadableActivation,
		next: 'Choose the settings again on the page of the coin.'
	},
	protocol: (coin: string, protocol: string | null): string =>
		`The node’s coins file lists ${coin} with ${protocol === null ? 'another protocol' : `the protocol ${protocol}`}, so it cannot be activated this way.`,
	protocolNext: {
		utxo: 'Activate it as a UTXO coin instead. SLP tokens are not shown then.',
		other: 'Choose the method that fits its protocol.'
	},
	signing: { retry: 'Try again.' },
	listing: {
		unsure: 'Some addresses may have been listed. Listing again is safe: it goes on where it ended.'
	},
	unreadableSignature: {
		what: 'What the node returned is no signature of this message.',
		safe: 'It is not shown, because it proves nothing.',
		next: 'Check that the sign_message_prefix of the coin is the same in the coins file here and in the one of the node, then sign again.'
	},
	otherSigner: (signer: string, expected: string) => ({
		what: `The node signed with ${signer} instead of the address that was shown, ${expected}.`,
		safe: 'The signature is not shown, because it does not prove what you asked for.',
		next: 'Check the address and sign again. Someone may have activated the coin again in the meantime.'
	})
} as const;

const STEPS: Readonly<Record<string, string>> = {
	Initializing: 'Setting up the device',
	ActivatingCoin: 'Activating the coin',
	RequestingWalletBalance: 'Requesting the balance',
	RequestingAccountBalance: 'Requesting the balance',
	Finishing: 'Finishing',
	WaitingForHardwareToConnect: 'Waiting for the hardware wallet: plug it in',
	WaitingForUserToConfirmPubkey: 'Confirm the request on the device',
	FollowHwDeviceInstructions: 'Follow the instructions on the device',
	EnterHardwarePin: 'Waiting for the PIN',
	EnterHardwarePassphrase: 'Waiting for the passphrase',
	SyncingBlockHeaders: 'Reading block headers',
	UpdatingBlocksCache: 'Reading blocks',
	BuildingWalletDb: 'Building the wallet'
};

/** Steps of a task, by the node's name for them. */
export const stepTexts = {
	known: (step: string): string | null => STEPS[step] ?? null,
	atWork: 'In progress',
	temporary: (said: string | null): string =>
		said === null ? 'Temporary error' : `Temporary error: ${said}`,
	confirmAddress: (address: string): string => `Compare the address on the device: ${address}`,
	blocks: (step: string, at: string, last: string): string => `${step}: block ${at} of ${last}`
} as const;
