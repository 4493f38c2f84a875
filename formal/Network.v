(** * ReLU networks of one real input

    A network computes from the input x a growing list of numbers, its _state_: first
    [x] alone, then x and the outputs of all units of the layers so far.  A layer of
    width m is a list of m affine forms over the state; it appends the positive parts of
    their values.  The output is one affine form over the last state.

    So every unit may read x and the units of ALL earlier layers (skip connections), and
    the weights are arbitrary real numbers.  Plain networks, in which a unit reads the
    layer before only, are the case in which all the other weights are zero. *)

From Coq Require Import Reals List.
Import ListNotations.
Open Scope R_scope.

(** ReLU: the positive part. *)
Definition relu (z : R) : R := Rmax z 0.

(** The sum of w_i v_i.  Where one list is shorter, missing entries count as zero. *)
Fixpoint dot (ws vs : list R) : R :=
  match ws, vs with
  | w :: ws', v :: vs' => w * v + dot ws' vs'
  | _, _ => 0
  end.

(** An affine form over a state, and its value there. *)
Record form := Form { weights : list R; bias : R }.

Definition eval (l : form) (state : list R) : R := dot (weights l) state + bias l.

Definition layer := list form.

Record network := Network { hidden : list layer; output : form }.

(** What one layer, and a list of layers, make of a state. *)
Definition step (ls : layer) (state : list R) : list R :=
  state ++ map (fun l => relu (eval l state)) ls.

Fixpoint run (lss : list layer) (state : list R) : list R :=
  match lss with
  | [] => state
  | ls :: rest => run rest (step ls state)
  end.

(** The function that a network computes, and the widths of its hidden layers. *)
Definition value (net : network) (x : R) : R :=
  eval (output net) (run (hidden net) [x]).

Definition widths (net : network) : list nat := map (@length form) (hidden net).
