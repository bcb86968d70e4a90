/** Which trading node is simulated. */
export interface KdfRules {
	/** Speaks only the dialect of the interface document. */
	seedForms: boolean;
	/** The release; some details differ between the two. */
	build: '2.5.1' | '3.0.0';
}

/** Names that are brand names in the release and neutral in the interface document. */
interface Words {
	pinAction: string;
	passphraseAction: string;
	waitingForDevice: string;
	enterPin: string | null;
	devicePolicy: string;
	signerPolicy: string;
	nftProvider: string;
}

const RELEASE: Words = {
	pinAction: 'TrezorPin',
	passphraseAction: 'TrezorPassphrase',
	waitingForDevice: 'WaitingForTrezorToConnect',
	enterPin: 'EnterTrezorPin',
	devicePolicy: 'Trezor',
	signerPolicy: 'WalletConnect',
	nftProvider: 'Moralis'
};

const DOCUMENT: Words = {
	pinAction: 'HardwarePin',
	passphraseAction: 'HardwarePassphrase',
	waitingForDevice: 'WaitingForHardwareToConnect',
	enterPin: null,
	devicePolicy: 'HardwareWallet',
	signerPolicy: 'RemoteSigner',
	nftProvider: 'NftIndexer'
};

export const wordsOf = ({ seedForms }: KdfRules): Words => (seedForms ? DOCUMENT : RELEASE);

/** Returns the result of `version`. */
export const versionOf = ({ build, seedForms }: KdfRules): string => {
	if (seedForms) return '1.0.0';
	return build === '2.5.1' ? '2.5.1-beta_a9fbf60' : '3.0.0-beta_d56a7bc';
};
