(** * Upper bounds: a given rational network is within E of f on [a, b], for all x

    The network comes with points a = p_0, p_1, ..., p_n = b.  On each of the cells
    [p_i, p_(i+1)] the function that it computes is worked out in rationals as one line;
    this fails if some unit changes its sign inside the cell.  It remains to compare n
    lines with f: for x^2 by computation, for formulas by interval arithmetic. *)

From Coq Require Import Reals QArith Qreals List Lra Lia Psatz.
From DepthSep Require Import Network Pieces.
Import ListNotations.
Open Scope bool_scope.
Open Scope R_scope.

(** ** Rational networks *)

(** An affine form: the weights and the bias. *)
Definition qform := (list Q * Q)%type.

Definition form_of (l : qform) : form := Form (map Q2R (fst l)) (Q2R (snd l)).

Definition network_of (layers : list (list qform)) (out : qform) : network :=
  Network (map (map form_of) layers) (form_of out).

(** ** Lines (slope, intercept) on a cell [c, d] *)

Definition qline := (Q * Q)%type.

Definition line_of (l : qline) : R * R := (Q2R (fst l), Q2R (snd l)).

Fixpoint qdot (ws : list Q) (ls : list qline) : qline :=
  match ws, ls with
  | w :: ws', l :: ls' =>
      let r := qdot ws' ls' in
      (Qred (w * fst l + fst r), Qred (w * snd l + snd r))
  | _, _ => (0, 0)
  end%Q.

Definition qeval (l : qform) (ls : list qline) : qline :=
  let r := qdot (fst l) ls in (fst r, Qred (snd r + snd l)).

Definition qat (l : qline) (x : Q) : Q := (fst l * x + snd l)%Q.

(** ReLU of a line, if it has one sign on the cell. *)
Definition qrelu (c d : Q) (l : qline) : option qline :=
  if Qle_bool 0 (qat l c) && Qle_bool 0 (qat l d) then Some l
  else if Qle_bool (qat l c) 0 && Qle_bool (qat l d) 0 then Some (0, 0)%Q
  else None.

Fixpoint qrelus (c d : Q) (ls : list qline) : option (list qline) :=
  match ls with
  | [] => Some []
  | l :: rest =>
      match qrelu c d l, qrelus c d rest with
      | Some r, Some rs => Some (r :: rs)
      | _, _ => None
      end
  end.

Fixpoint qrun (c d : Q) (layers : list (list qform)) (ls : list qline) :=
  match layers with
  | [] => Some ls
  | layer :: rest =>
      match qrelus c d (map (fun l => qeval l ls) layer) with
      | Some rs => qrun c d rest (ls ++ rs)
      | None => None
      end
  end.

(** ** The cells, each with its line *)

Definition cell := (Q * Q * qline)%type.

Fixpoint cells (layers : list (list qform)) (out : qform) (c : Q) (ps : list Q)
  : option (list cell) :=
  match ps with
  | [] => Some []
  | d :: rest =>
      match qrun c d layers [(1, 0)%Q], cells layers out d rest with
      | Some ls, Some more => Some ((c, d, qeval out ls) :: more)
      | _, _ => None
      end
  end.

(** f is within E of the line of each cell, on the cell. *)
Fixpoint fits (f : R -> R) (E : R) (cs : list cell) : Prop :=
  match cs with
  | [] => True
  | (c, d, (s, t)) :: rest =>
      (forall x, Q2R c <= x <= Q2R d -> Rabs (Q2R s * x + Q2R t - f x) <= E) /\
      fits f E rest
  end.

(** ** Soundness *)

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma qdot_sound ws : forall ls,
  line_of (qdot ws ls) = dot_lines (map Q2R ws) (map line_of ls).
Proof.
  assert (Z : Q2R 0 = 0) by (unfold Q2R; simpl; lra).
  induction ws as [|w ws IH]; intros [|l ls]; unfold line_of;
    cbn [qdot map dot_lines fst snd]; rewrite ?Z; auto.
  rewrite <- IH; unfold line_of; cbn [fst snd].
  now rewrite !Q2R_red, !Q2R_plus, !Q2R_mult.
Qed.

Definition states (ls : list qline) (x : R) : list R :=
  map (fun l => line_at (line_of l) x) ls.

Lemma qeval_sound l ls x :
  eval (form_of l) (states ls x) = line_at (line_of (qeval l ls)) x.
Proof.
  unfold states; rewrite <- (map_map line_of (fun l => line_at l x)).
  rewrite eval_lines_at; f_equal; unfold eval_lines, form_of; simpl.
  rewrite <- qdot_sound; unfold line_of, qeval; cbn [fst snd].
  now rewrite Q2R_red, Q2R_plus.
Qed.

Lemma qat_sound l x : Q2R (qat l x) = line_at (line_of l) (Q2R x).
Proof. unfold qat, line_at, line_of; cbn [fst snd]; now rewrite Q2R_plus, Q2R_mult. Qed.

Lemma Qle_bool_R p q : Qle_bool p q = true -> Q2R p <= Q2R q.
Proof. intros H; now apply Qle_Rle, Qle_bool_iff. Qed.

Lemma qrelu_sound c d l r x : qrelu c d l = Some r -> Q2R c <= x <= Q2R d ->
  relu (line_at (line_of l) x) = line_at (line_of r) x.
Proof.
  assert (Z : Q2R 0 = 0) by (unfold Q2R; simpl; lra).
  intros H X; unfold qrelu in H; unfold relu.
  destruct (line_between (line_of l) _ _ x X) as [P N].
  destruct (_ && _) eqn:S1 in H; [|destruct (_ && _) eqn:S2 in H; [|easy]];
    injection H as <-.
  - apply Bool.andb_true_iff in S1 as [A B]; apply Qle_bool_R in A, B.
    rewrite qat_sound, Z in A, B; apply Rmax_left; auto.
  - apply Bool.andb_true_iff in S2 as [A B]; apply Qle_bool_R in A, B.
    rewrite qat_sound, Z in A, B; rewrite Rmax_right by auto.
    unfold line_at, line_of; simpl; rewrite Z; ring.
Qed.

Lemma qrelus_sound c d ls x : Q2R c <= x <= Q2R d -> forall rs,
  qrelus c d ls = Some rs -> map relu (states ls x) = states rs x.
Proof.
  intros X; induction ls as [|l ls IH]; intros rs H; simpl in H.
  - now injection H as <-.
  - destruct (qrelu c d l) as [r|] eqn:U; [|easy].
    destruct (qrelus c d ls) as [rs'|]; [|easy]; injection H as <-.
    simpl; f_equal; [now apply qrelu_sound with c d|now apply IH].
Qed.

Lemma qrun_sound c d layers x : Q2R c <= x <= Q2R d -> forall ls ls',
  qrun c d layers ls = Some ls' ->
  run (map (map form_of) layers) (states ls x) = states ls' x.
Proof.
  intros X; induction layers as [|layer rest IH]; intros ls ls' H; simpl in *.
  - now injection H as <-.
  - destruct (qrelus _ _ _) as [rs|] eqn:U; [|easy].
    rewrite <- (IH _ _ H); f_equal; unfold step, states; rewrite map_app; f_equal.
    rewrite map_map; fold (states rs x); rewrite <- (qrelus_sound _ _ _ _ X _ U).
    unfold states; rewrite !map_map; apply map_ext; intros l.
    now rewrite <- qeval_sound.
Qed.

Lemma last_cons {A} (l : list A) : forall y d, last (y :: l) d = last l y.
Proof. induction l as [|z l IH]; intros y d; [easy|]; rewrite IH; apply (IH z d). Qed.

Lemma cell_sound f E layers out c d ls more x :
  qrun c d layers [(1, 0)%Q] = Some ls -> fits f E ((c, d, qeval out ls) :: more) ->
  Q2R c <= x <= Q2R d -> Rabs (value (network_of layers out) x - f x) <= E.
Proof.
  intros U F X; cbn [fits] in F.
  destruct (qeval out ls) as [s t] eqn:V; destruct F as [F _]; specialize (F x X).
  unfold value, network_of; cbn [hidden output].
  replace [x] with (states [(1, 0)%Q] x)
    by (unfold states, line_at, line_of, Q2R; simpl; f_equal; lra).
  rewrite (qrun_sound c d layers x X _ _ U), qeval_sound, V; exact F.
Qed.

(** Every x of [a, b] lies in a cell. *)
Theorem cells_sound f E layers out p ps : forall a cs,
  cells layers out a (p :: ps) = Some cs -> fits f E cs ->
  forall x, Q2R a <= x <= Q2R (last ps p) ->
  Rabs (value (network_of layers out) x - f x) <= E.
Proof.
  revert p; induction ps as [|p' ps IH]; intros p a cs H F x X; cbn [cells] in H;
    destruct (qrun a p layers _) as [ls|] eqn:U; try easy.
  - injection H as <-; now apply (cell_sound f E layers out a p ls []).
  - rewrite last_cons in X.
    change (match cells layers out p (p' :: ps) with
      | Some more => Some ((a, p, qeval out ls) :: more)
      | None => None
      end = Some cs) in H.
    destruct (cells layers out p (p' :: ps)) as [more|] eqn:M; [|easy].
    injection H as <-.
    destruct (Rle_lt_dec x (Q2R p)) as [XP|XP].
    + now apply (cell_sound f E layers out a p ls more).
    + apply (IH p' p more M); [|lra].
      cbn [fits] in F; now destruct (qeval out ls).
Qed.

(** ** x^2 *)

(** The line s x + t is within E of x^2 on [c, d]: x^2 - s x - t is at most E at both
    ends, and at least -E at its lowest point, which is s/2 or an end. *)
Definition square_fits (E : Q) (l : cell) : bool :=
  let '(c, d, (s, t)) := l in
  let e x := (x * x - s * x - t)%Q in
  Qle_bool (e c) E && Qle_bool (e d) E &&
  (Qle_bool (s * s * (1 # 4) + t) E
   || Qle_bool (s * (1 # 2)) c && Qle_bool (- E) (e c)
   || Qle_bool d (s * (1 # 2)) && Qle_bool (- E) (e d)).

Lemma square_fits_sound E cs : forallb (square_fits E) cs = true ->
  fits (fun x => x ^ 2) (Q2R E) cs.
Proof.
  induction cs as [|[[c d] [s t]] cs IH]; [easy|].
  cbn [forallb fits]; rewrite Bool.andb_true_iff; intros [H1 H2]; split; [|auto].
  intros x X; unfold square_fits in H1.
  assert (HALF : Q2R (1 # 2) = 1 / 2) by (unfold Q2R; simpl; lra).
  assert (QUARTER : Q2R (1 # 4) = 1 / 4) by (unfold Q2R; simpl; lra).
  rewrite !Bool.andb_true_iff, !Bool.orb_true_iff, !Bool.andb_true_iff in H1.
  destruct H1 as [[A B] C]; apply Qle_bool_R in A, B.
  rewrite !Q2R_minus, !Q2R_mult in A, B.
  apply Rabs_le; split.
  - assert (0 <= (x - Q2R c) * (Q2R d - x)) by (apply Rmult_le_pos; lra).
    destruct (Rle_lt_dec 0 (Q2R c + Q2R d - Q2R s)); nra.
  - destruct C as [[C|[C1 C2]]|[C1 C2]].
    + apply Qle_bool_R in C; rewrite Q2R_plus, !Q2R_mult, QUARTER in C.
      pose proof (pow2_ge_0 (x - Q2R s / 2)); nra.
    + apply Qle_bool_R in C1, C2.
      rewrite Q2R_opp, !Q2R_minus, !Q2R_mult in C2; rewrite Q2R_mult, HALF in C1; nra.
    + apply Qle_bool_R in C1, C2.
      rewrite Q2R_opp, !Q2R_minus, !Q2R_mult in C2; rewrite Q2R_mult, HALF in C1; nra.
Qed.

(** What has to evaluate to [true] for x^2. *)
Definition square_fit_check (layers : list (list qform)) (out : qform) (E a : Q)
  (ps : list Q) : bool :=
  match cells layers out a ps with
  | Some cs => forallb (square_fits E) cs
  | None => false
  end.

Theorem square_upper layers out (qE qa qb : Q) (ps : list Q) (E a b : R) :
  square_fit_check layers out qE qa (ps ++ [qb]) = true ->
  Q2R qE = E -> Q2R qa = a -> Q2R qb = b ->
  forall x, a <= x <= b -> Rabs (value (network_of layers out) x - x ^ 2) <= E.
Proof.
  unfold square_fit_check; intros H <- <- <- x X.
  destruct (cells _ _ _ _) as [cs|] eqn:C; [|easy].
  destruct (ps ++ [qb]) as [|p rest] eqn:P; [now destruct ps|].
  apply (cells_sound (fun x => x ^ 2) (Q2R qE) layers out p rest qa cs C); auto.
  - now apply square_fits_sound.
  - now rewrite <- (last_cons rest p p), <- P, last_last.
Qed.

(** ** Any f: [fits] is left to be proved *)

Theorem formula_upper (f : R -> R) layers out (qa qb : Q) (ps : list Q) cs (E a b : R) :
  cells layers out qa (ps ++ [qb]) = Some cs ->
  Q2R qa = a -> Q2R qb = b -> fits f E cs ->
  forall x, a <= x <= b -> Rabs (value (network_of layers out) x - f x) <= E.
Proof.
  intros C <- <- F x X.
  destruct (ps ++ [qb]) as [|p rest] eqn:P; [now destruct ps|].
  apply (cells_sound f E layers out p rest qa cs C); auto.
  now rewrite <- (last_cons rest p p), <- P, last_last.
Qed.
