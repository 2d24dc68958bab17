/** Where labels are kept on disk. */
export const LABEL_FOLDER = "/var/lib/parcel-desk/labels";

/** Account at the courier's test system. */
export const COURIER_ACCOUNT = "parcel-desk-test";
export const COURIER_KEY = "AKIADEMODEMODEMO7Q2X";
